import type { Alarm } from '../../data/alarms/alarms.ts';
import type { Device } from '../../data/sources/devices.ts';
import type { Source } from '../../data/sources/sources.ts';
import { configState, isImei, judged, waysOf } from './rows.ts';

const scout = (more: Partial<Device>): Device => ({
  _id: 'd',
  _class: 'io.svc.models.device.ScoutDevice',
  deviceKey: '490154203237518',
  createdTime: '2026-01-01T00:00:00Z',
  isConnected: false,
  software: {},
  isOutOfDate: false,
  ...more,
});
const alarm = (alarmType: string, activeTime = '2026-01-02T00:00:00Z'): Alarm => ({
  nodeId: 's',
  path: 'a/s',
  alarmType,
  alarmState: 'ACTIVE',
  activeTime,
});
const source = (more: Partial<Source>): Source => ({
  _id: 's',
  _class: 'io.svc.models.node.source.data.Jts',
  name: 'S',
  place: 'w',
  workspaceId: 'w',
  isEnabled: true,
  lastCommsSuccess: '2026-01-01T00:00:00Z',
  ...more,
});

test.each([
  [{ isOutOfDate: undefined }, undefined, 'none'],
  [{ isOutOfDate: false }, alarm('configurationAlarm'), 'confirmed'],
  [{ isOutOfDate: true }, undefined, 'pending'],
  [{ isOutOfDate: true, isConnected: true }, undefined, 'sent'],
  [{ isOutOfDate: true, isConnected: true }, alarm('configurationAlarm'), 'refused'],
] as const)('a configuration %j with the alarm %j is %s', (more, refusal, state) => {
  const { isOutOfDate: _, ...bare } = scout({});
  const device = more.isOutOfDate === undefined ? bare : scout(more);
  expect(configState(device, refusal)).toBe(state);
});

test.each([
  [{ isEnabled: false }, ['communicationsAlarm'], 'disabled'],
  [{}, ['outdatedAlarm', 'communicationsAlarm'], 'failing'],
  [{ currentStatus: 'FAILED' }, [], 'failing'],
  [{}, ['outdatedAlarm'], 'silent'],
  [{ lastCommsSuccess: null }, [], 'unheard'],
  [{}, [], 'fine'],
] as const)('a source %j with the alarms %j is %s, and nothing else', (more, types, state) => {
  expect(
    judged(
      source(more),
      types.map((type) => alarm(type)),
    ).state,
  ).toBe(state);
});

test('a way counts each of its sources once, and shows the newest error; the worst way is first', () => {
  const by = (way: string) => ({ transport: { _class: `io.svc.models.node.transport.${way}` } });
  const rows = waysOf(
    [source({ _id: 'a', ...by('Mqtt') }), source({ _id: 'b', ...by('Email') }), source({ _id: 'c', ...by('Email') })],
    new Map([
      ['b', [alarm('communicationsAlarm', '2026-01-03T00:00:00Z')]],
      ['c', [alarm('dataAlarm', '2026-01-04T00:00:00Z')]],
    ]),
  );
  expect(rows.map(({ way, counts }) => [way, counts.failing, counts.fine])).toEqual([
    ['Email', 2, 0],
    ['Mqtt', 0, 1],
  ]);
  expect(rows[0]!.lastProblem?.source._id).toBe('c');
});

test.each([
  ['490154203237518', true],
  ['490154203237519', false],
  ['49015420323751', false],
])('%s is an IMEI: %s', (text, is) => {
  expect(isImei(text)).toBe(is);
});
