import { newObjectId } from '@catchment/ids';
import { checkedEvent, type Event } from './event.ts';

const event = (change: Partial<Event> = {}): Event => ({
  eventId: newObjectId(),
  ownerId: newObjectId(),
  workspaceId: newObjectId(),
  nodeId: newObjectId(),
  nodeClass: 'point.NumberPoint',
  level: 'INFO',
  eventType: 'STATE',
  alarmState: 'NONE',
  timeMs: Date.UTC(2016, 4, 1),
  username: 'System',
  message: 'State changed from NORMAL to HIGH',
  ...change,
});

test.each([
  ['500 characters stay', 'x'.repeat(500), 'x'.repeat(500)],
  ['longer texts are cut at 500', 'x'.repeat(501), 'x'.repeat(500)],
  ['characters beyond the first plane count once', '😀'.repeat(501), '😀'.repeat(500)],
  ['it stays on one line, without what a database cannot hold', 'a\0b\r\nc\ud800', 'a b  c\ufffd'],
])('message: %s', (_what, message, stored) => {
  expect(checkedEvent(event({ message })).message).toBe(stored);
});

test.each([
  ['event_id', { eventId: 'x' }],
  ['owner_id', { ownerId: '' }],
  ['workspace_id', { workspaceId: 'nowhere' }],
  ['node_id', { nodeId: '1' }],
  ['level', { level: 'info' }],
  ['event_type', { eventType: 'OTHER' }],
  ['alarm_state', { alarmState: '' }],
  ['time_ms', { timeMs: Date.UTC(1799, 11, 31) }],
  ['time_ms', { timeMs: Date.UTC(9999, 0, 1) }],
  ['time_ms', { timeMs: 0.5 }],
  ['message', { message: '' }],
] as [string, Partial<Event>][])('refuses a wrong %s', (field, change) => {
  expect(() => checkedEvent(event(change))).toThrow(expect.objectContaining({ kind: 'invalid_argument' }));
  expect(() => checkedEvent(event(change))).toThrow(`${field}: must be`);
});

test('an account event has no workspace, node and class', () => {
  const account = event({ workspaceId: '', nodeId: '', nodeClass: '' });
  expect(checkedEvent(account)).toEqual(account);
});
