import { retryAfter, runAfter, shownDuration } from './schedule.ts';

const at = (iso: string) => Date.parse(iso);
const HOUR = 3_600_000;

test.each([
  ['2024-07-01T10:00:00Z', HOUR, 0, '2024-07-01T11:00:00Z'],
  ['2024-07-01T10:59:59.999Z', HOUR, 0, '2024-07-01T11:00:00Z'],
  ['2024-07-01T10:00:00Z', HOUR, 137_000, '2024-07-01T10:02:17Z'],
  ['2024-07-01T10:02:17Z', HOUR, 137_000, '2024-07-01T11:02:17Z'],
  // Weeks begin with the Unix epoch, a Thursday.
  ['2024-07-01T10:00:00Z', 7 * 24 * HOUR, 0, '2024-07-04T00:00:00Z'],
  // Clocks are put forward somewhere at this time: UTC knows nothing of it.
  ['2024-03-31T00:30:00Z', HOUR, 0, '2024-03-31T01:00:00Z'],
])('the first run after %s of every %i ms, offset %i, is at %s', (now, intervalMs, offsetMs, next) => {
  expect(new Date(runAfter({ intervalMs, offsetMs }, at(now)))).toEqual(new Date(next));
});

test('three retries follow the first try, each after the delay', () => {
  const retries = { attempts: 3, delayMs: 900_000 };
  expect([0, 1, 2, 3].map((done) => retryAfter(retries, done, 1_000))).toEqual([901_000, 901_000, 901_000, undefined]);
  expect(retryAfter({ attempts: 0, delayMs: 900_000 }, 0, 1_000)).toBeUndefined();
});

test.each([
  [900_000, '15 min'],
  [60_000, '1 min'],
  [45_000, '45 s'],
  [5_400_000, '1 h 30 min'],
  [86_400_000, '24 h'],
])('%i ms are shown as %s', (ms, text) => {
  expect(shownDuration(ms)).toBe(text);
});
