import { RestartDelay, type Run } from './restart-delay.ts';

const neverReady: Run = { ranMs: 500, wasReady: false };
const killed: Run = { ranMs: 5_000, wasReady: true };
const stable: Run = { ranMs: 31_000, wasReady: true };

test.each<[string, Run[], number[]]>([
  [
    'that never becomes ready waits longer each time',
    Array(7).fill(neverReady),
    [300, 600, 1_200, 2_400, 4_800, 9_600, 10_000],
  ],
  [
    'that is killed again and again after it was ready is back within a second',
    Array(5).fill(killed),
    [300, 600, 1_000, 1_000, 1_000],
  ],
  [
    'that was stable starts its waits anew',
    [neverReady, neverReady, neverReady, stable, neverReady],
    [300, 600, 1_200, 300, 600],
  ],
  [
    'that no longer becomes ready waits longer',
    [killed, killed, killed, killed, neverReady],
    [300, 600, 1_000, 1_000, 4_800],
  ],
])('a process %s', (_what, runs, delays) => {
  const delay = new RestartDelay();
  expect(runs.map((run) => delay.after(run))).toEqual(delays);
});
