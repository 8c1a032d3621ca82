import { hourOf, nextHourOf, withinLimit } from './hourly-limit.ts';

test.each([
  ['the first ones', 3, 3, 3, false],
  ['up to the limit', 100, 5, 5, false],
  ['beyond it, for the first time', 101, 1, 0, true],
  ['some of them beyond it', 103, 5, 2, true],
  ['beyond it again', 102, 1, 0, false],
  ['far beyond it', 500, 20, 0, false],
])('%s', (_what, counted, wanted, sent, isFirst) => {
  expect(withinLimit(100, counted, wanted)).toEqual({ sent, isFirst });
});

test('hours are those of the clock', () => {
  const nowMs = Date.parse('2024-05-15T10:47:23.456Z');
  expect([hourOf(nowMs), nextHourOf(nowMs)].map((ms) => new Date(ms).toISOString())).toEqual([
    '2024-05-15T10:00:00.000Z',
    '2024-05-15T11:00:00.000Z',
  ]);
});
