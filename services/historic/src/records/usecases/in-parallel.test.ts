import { inParallel } from './in-parallel.ts';

const never = () => new AbortController().signal;

test('results keep the order of the items; no more than so many run at a time', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0, 4], 2, never(), async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  expect(results).toEqual([30, 10, 20, 0, 40]);
  expect(most).toBe(2);
});

test('when an item fails the others are aborted, nothing new begins, and its error is thrown', async () => {
  const begun: number[] = [];
  const stopped: number[] = [];
  const all = inParallel([0, 1, 2, 3], 2, never(), async (item, signal) => {
    begun.push(item);
    if (item === 1) throw new Error('first');
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        stopped.push(item);
        reject(new Error('second'));
      });
    });
  });
  await expect(all).rejects.toThrow('first');
  expect([begun, stopped]).toEqual([[0, 1], [0]]);
});

test('an aborted signal begins nothing', async () => {
  const work = async () => 1;
  await expect(inParallel([1], 2, AbortSignal.abort(new Error('left')), work)).rejects.toThrow('left');
  expect(await inParallel([], 2, AbortSignal.abort(), work)).toEqual([]);
});
