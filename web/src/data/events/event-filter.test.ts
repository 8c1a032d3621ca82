import { belongs, criteriaOf, type LogEvent, merged } from './event-filter.ts';

const event = (_id: string, second: number, more: object = {}): LogEvent =>
  ({
    _id,
    eventTime: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    level: 'INFO',
    eventType: 'STATE',
    message: '',
    ...more,
  }) as LogEvent;

test.each([
  ['nothing', { levels: [], types: [] }, ''],
  ['one level', { levels: ['ERROR'], types: [] }, 'level($eq:ERROR)'],
  [
    'levels and types',
    { levels: ['WARNING', 'ERROR'], types: ['STATE'] },
    'level($eq:WARNING),eventType($eq:STATE)|level($eq:ERROR),eventType($eq:STATE)',
  ],
  ['alarms', { levels: [], types: [], ofAlarms: true }, 'alarmState($ne:NONE)'],
])('events by %s', (_what, filter, expected) => {
  expect(criteriaOf(filter)).toBe(expected);
});

test('a page that begins where the last one ended adds each event once, in the order of time', () => {
  const first = [event('c', 30), event('b', 20)];
  const next = [event('b', 20), event('d', 20), event('a', 10)];
  expect(merged(first, next).map(({ _id }) => _id)).toEqual(['c', 'b', 'd', 'a']);
  expect(merged(first, [event('b', 20)])).toBe(first);
});

test('of the stream only what the list is about is taken', () => {
  const own = event('a', 1, { nodeId: 'n', alarmState: 'ACTIVE' });
  const all = { levels: [], types: [] };
  expect(belongs(own, { ...all, nodeId: 'n' })).toBe(true);
  expect(belongs(own, { ...all, nodeId: 'other' })).toBe(false);
  expect(belongs(own, { ...all, levels: ['ERROR'] })).toBe(false);
  expect(belongs(own, { ...all, ofAlarms: true })).toBe(true);
  expect(belongs(event('b', 1), { ...all, ofAlarms: true })).toBe(false);
});
