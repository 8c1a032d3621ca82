import { DomainError, unavailable } from '@catchment/errors';
import { waitUntilDone } from './wait-until-done.ts';

/** Fakes time that passes by pauses alone, and work that fails until `readyMs`. */
function setting(readyMs: number, failure: Error = unavailable('PEER_UNAVAILABLE')) {
  let nowMs = 5_000;
  let tries = 0;
  const startMs = nowMs;
  const lines: string[] = [];
  const waiting = (limitMs: number) => ({
    limitMs,
    say: (line: string) => void lines.push(line),
    now: () => nowMs,
    pause: async () => {
      nowMs += 1_000;
    },
  });
  const work = async () => {
    tries += 1;
    if (nowMs - startMs < readyMs) throw failure;
    return 'done';
  };
  return { lines, waiting, work, tries: () => tries };
}

test('what is there at once is not waited for', async () => {
  const { lines, waiting, work } = setting(0);
  expect(await waitUntilDone('nodes', work, waiting(0))).toBe('done');
  expect(lines).toEqual([]);
});

test('an installation whose images take 40 minutes is waited for, with a line every 15 s', async () => {
  const { lines, waiting, work } = setting(40 * 60_000);
  expect(await waitUntilDone('nodes', work, waiting(3_600_000))).toBe('done');
  expect(lines.slice(0, 4)).toEqual(
    [0, 15, 30, 45].map((s) => `waiting for nodes to answer (${s} s) … [Service temporarily unavailable]`),
  );
  expect(lines).toHaveLength(160);
});

test('the wait is bounded, and ends with what the last try failed with', async () => {
  const { waiting, work, tries } = setting(Number.POSITIVE_INFINITY);
  await expect(waitUntilDone('nodes', work, waiting(30_000))).rejects.toMatchObject({ reason: 'PEER_UNAVAILABLE' });
  expect(tries()).toBe(31);
});

test('what waiting does not help is reported at once', async () => {
  const wrong = new DomainError('invalid_argument', 'INVALID_ARGUMENT', 'email: must be an address');
  const { waiting, work, tries, lines } = setting(1_000, wrong);
  await expect(waitUntilDone('nodes', work, waiting(30_000))).rejects.toBe(wrong);
  expect([tries(), lines]).toEqual([1, []]);
});
