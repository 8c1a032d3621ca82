import { untilNextTry } from './tries.ts';

const MINUTE_MS = 60_000;

test.each([
  ['at once', 0, 5 * MINUTE_MS],
  ['a clock that is ahead', -1_000, 5 * MINUTE_MS],
  ['a minute later, after a restart', MINUTE_MS, 4 * MINUTE_MS],
  ['the second time', 5 * MINUTE_MS, 10 * MINUTE_MS],
  ['the second time, later', 14 * MINUTE_MS, MINUTE_MS],
  ['the third time', 15 * MINUTE_MS, undefined],
  ['after a long absence', 60 * MINUTE_MS, undefined],
])('failed %s', (_what, ageMs, waitMs) => expect(untilNextTry(ageMs)).toBe(waitMs));
