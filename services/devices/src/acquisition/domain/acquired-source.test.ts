import { NodeConfig } from '@catchment/contracts/nodes';
import { acquiredSource, askedSource } from './acquired-source.ts';

const node = (source: object | undefined, nodeClass = 'source.data.TextParser') =>
  NodeConfig.fromPartial({
    nodeId: 's',
    class: nodeClass,
    ...(source && { source: { transportClass: 'FtpDownload', isEnabled: true, ...source } }),
  });

test.each([
  ['a parameter', node(undefined, 'point.NumberPoint')],
  ['a Processor', node({}, 'source.data.Processor')],
])('%s acquires nothing', (_what, config) => {
  expect(acquiredSource(config)).toBeUndefined();
});

test.each([
  ['an hour where it has none', { intervalOffsetSeconds: 60 }, { intervalMs: 3_600_000, offsetMs: 60_000 }],
  ['its own interval', { intervalSeconds: 300 }, { intervalMs: 300_000, offsetMs: 0 }],
])('a source is asked after %s', (_what, source, schedule) => {
  expect(acquiredSource(node(source))).toMatchObject({ schedule, deviceKey: null });
});

test.each([
  ['no source', node(undefined), 'NOT_ACQUIRABLE'],
  ['a source that is disabled', node({ isEnabled: false }), 'SOURCE_DISABLED'],
  ['a disabled source that nobody can ask', node({ isEnabled: false, transportClass: 'Mqtt' }), 'SOURCE_DISABLED'],
  ['a source whose data comes by itself', node({ transportClass: 'Mqtt' }), 'NOT_ACQUIRABLE'],
])('%s cannot acquire now: %s', (_what, config, reason) => {
  expect(() => askedSource(config)).toThrow(expect.objectContaining({ kind: 'failed_precondition', reason }));
});

test('a source that has to be asked may be asked', () => {
  expect(askedSource(node({}))).toMatchObject({ sourceId: 's', transport: 'FtpDownload' });
});
