import { cutoffMs, nextCutoffChangeMs } from './record-retention.ts';

test.each([
  ['one day: yesterday is kept as a whole', 1, '2026-05-15T12:00:00Z', '2026-05-14T00:00:00Z'],
  ['the last moment of a day', 1, '2026-05-15T23:59:59.999Z', '2026-05-14T00:00:00Z'],
  ['the first moment of the next day', 1, '2026-05-16T00:00:00Z', '2026-05-15T00:00:00Z'],
  ['over a month', 31, '2026-03-01T06:00:00Z', '2026-01-29T00:00:00Z'],
  ['365 days over a leap day', 365, '2024-12-31T06:00:00Z', '2024-01-01T00:00:00Z'],
  ['the night in which clocks change elsewhere', 1, '2026-03-29T03:00:00Z', '2026-03-28T00:00:00Z'],
  ['ten years', 3_652, '2026-05-15T12:00:00Z', '2016-05-15T00:00:00Z'],
  ['before 1970', 36_500, '2026-05-15T12:00:00Z', '1926-06-09T00:00:00Z'],
])('%s', (_what, days, now, cutoff) => {
  expect(new Date(cutoffMs(days, Date.parse(now))).toISOString()).toBe(new Date(cutoff).toISOString());
});

test.each([
  ['2026-05-15T00:00:00Z', '2026-05-16T00:00:00Z'],
  ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
])('after %s the cutoff changes at %s', (now, next) => {
  expect(nextCutoffChangeMs(Date.parse(now))).toBe(Date.parse(next));
});
