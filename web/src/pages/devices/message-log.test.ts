import { type Message, MOST, ofValue, withMessages } from './message-log.ts';

const message = (key: string, time: string): Message => ({ key, kind: 'event', time, text: key });

test('news come first by their time, once, and no more are held than the most', () => {
  const before = [message('b', '2026-01-01T00:00:02Z'), message('a', '2026-01-01T00:00:01Z')];
  const both = withMessages(before, [message('c', '2026-01-01T00:00:03Z'), message('a', '2026-01-01T00:00:01Z')]);
  expect(both.map(({ key }) => key)).toEqual(['c', 'b', 'a']);
  expect(withMessages(before, [before[0]!])).toBe(before);
  const many = Array.from({ length: MOST + 5 }, (_, n) => message(`${n}`, new Date(n * 1_000).toISOString()));
  const held = withMessages([], many);
  expect([held.length, held[0]!.key]).toEqual([MOST, `${MOST + 4}`]);
});

test('a value has its name and unit, a line of the log stands for itself, and what has no value is none', () => {
  const series = { _id: 'p', name: 'Signal', series: 'Status - Signal', units: 'dBm' };
  const time = '2026-01-01T00:00:00.000Z';
  expect(ofValue({ currentValue: -71, currentTime: time }, series, String)).toMatchObject({
    kind: 'value',
    name: 'Signal',
    text: '-71 dBm',
  });
  const log = { _id: 'l', name: 'Message', series: 'Logs - Message' };
  expect(ofValue({ currentValue: 'WARNING low', currentTime: time }, log, String)).toMatchObject({
    kind: 'log',
    text: 'WARNING low',
  });
  expect(ofValue({ currentValue: null, currentTime: null }, log, String)).toBeUndefined();
});
