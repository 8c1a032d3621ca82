import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import { alarmMessages } from './alarm-cloud-events.ts';

const T = Date.UTC(2026, 4, 15, 12);
const NODE = { nodeId: 'a'.repeat(24), ownerId: 'b'.repeat(24) };
const only = (subject: string, data: Uint8Array) => {
  const [message] = alarmMessages({ subject, data, timeMs: T });
  return { ...message, event: JSON.parse(message?.value ?? '{}') };
};

test('a change of an alarm: its id makes doubles visible, what is absent is left out', () => {
  const changed = {
    ...NODE,
    alarmType: 'stateAlarm',
    alarmState: 'ACTIVE',
    message: 'too high',
    activeTimeMs: T,
    revision: 5,
  };
  const data = AlarmChanged.encode(AlarmChanged.fromPartial(changed)).finish();
  const { id, key, event } = only('alarms.alarm.changed.v1', data);
  expect([id, key]).toEqual([`${NODE.nodeId}-stateAlarm-5`, NODE.ownerId]);
  expect(event).toEqual({
    specversion: '1.0',
    id,
    source: `/owners/${NODE.ownerId}`,
    type: 'io.catchment.alarm.changed.v1',
    time: '2026-05-15T12:00:00.000Z',
    subject: `/nodes/${NODE.nodeId}`,
    datacontenttype: 'application/json',
    data: {
      ...NODE,
      revision: 5,
      alarmType: 'stateAlarm',
      alarmState: 'ACTIVE',
      message: 'too high',
      activeTime: '2026-05-15T12:00:00.000Z',
    },
  });
});

test.each([
  ['high', 'high'],
  ['', null],
])('a change of state to «%s»', (stateId, shown) => {
  const data = StateChanged.encode(StateChanged.fromPartial({ ...NODE, stateId, revision: 6, timeMs: T })).finish();
  const { id, event } = only('alarms.state.changed.v1', data);
  expect(id).toBe(`${NODE.nodeId}-state-6`);
  expect(event).toMatchObject({
    type: 'io.catchment.state.changed.v1',
    data: { stateId: shown, eventTime: '2026-05-15T12:00:00.000Z' },
  });
});

test('of what is new to this version nothing is sent', () => {
  expect(alarmMessages({ subject: 'alarms.thing.changed.v1', data: new Uint8Array(), timeMs: T })).toEqual([]);
});
