import { aheadOf } from './shared-metrics.ts';

test.each([
  ['as fast as can be', [1_000, 1_000], 1_000, 0],
  ['on the way for 100 ms', [1_000, 1_100], 1_050, 0],
  ['ours is three seconds ahead', [5_000, 5_000], 2_000, 3],
  ['ours is behind', [1_000, 1_000], 2_000, -1],
  ['waited for 20 s in a queue, then was answered at once', [0, 20_000], 20_000, undefined],
  ['it does not say', [1_000, 1_000], undefined, undefined],
] as const)('how far a clock is ahead: %s', async (_what, [before, after], theirMs, expected) => {
  const times = [before, after];
  expect(
    await aheadOf(
      async () => theirMs,
      () => times.shift() ?? 0,
    ),
  ).toBe(expected);
});
