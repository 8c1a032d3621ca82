import { CHART_SETTINGS } from '@catchment/chart-settings';
import { classNames } from '../../domain/body/class-names.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { nodeConfig } from './node-config.ts';

const configOf = (nodeClass: string, config: Config) =>
  nodeConfig(
    { nodeId: 'a', parentId: 'b', class: nodeClass, config, seriesKey: null } as StoredNode,
    { path: 'demo/a', isInTemplate: false },
    classNames('io.svc'),
  );

test('of alarms other services hear what is not the default, whole', () => {
  expect(configOf('source.data.Jts', {}).alarms).toEqual([]);
  const alarms = { outdatedAlarm: { isEnabled: true, messageAway: 'asleep' }, dataAlarm: { isEnabled: false } };
  expect(configOf('source.data.Jts', { alarms }).alarms).toMatchObject([
    { type: 'dataAlarm', isEnabled: false, notify: 'NEVER', categoryId: '' },
    { type: 'outdatedAlarm', isEnabled: true, notify: 'NEVER', messageAway: 'asleep', messageTowards: '' },
  ]);
  const quality = { qualityAlarm: { isEnabled: true } };
  expect(configOf('point.TimePoint', { alarms: quality }).alarms).toMatchObject([
    { type: 'qualityAlarm', isEnabled: true, qualityTypes: ['BAD'] },
  ]);
});

test.each([
  [{}, 86_400],
  [{ quietMaxSeconds: 120 }, 120],
])('the quiet time of %j is %d s', (config, quietMaxSeconds) => {
  expect(configOf('source.data.Jts', config).source).toMatchObject({ quietMaxSeconds });
});

test('every setting of charts reaches other services', () => {
  const { series } = configOf('point.NumberPoint', {});
  expect(Object.keys(CHART_SETTINGS).filter((name) => !Object.hasOwn(series?.chart ?? {}, name))).toEqual([]);
});
