import { inParallel } from './in-parallel.ts';

test('results keep the order of the items; no more than so many run at a time', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0, 4], { atOnce: 2 }, async (item, _stopping, index) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return [index, item * 10];
  });
  expect(results).toEqual([
    [0, 30],
    [1, 10],
    [2, 20],
    [3, 0],
    [4, 40],
  ]);
  expect(most).toBe(2);
});

test('when an item fails the others are aborted, nothing new begins, and its error is thrown', async () => {
  const begun: number[] = [];
  const stopped: number[] = [];
  const all = inParallel([0, 1, 2, 3], { atOnce: 2 }, async (item, stopping) => {
    begun.push(item);
    if (item === 1) throw new Error('first');
    await new Promise((_, reject) => {
      stopping.addEventListener('abort', () => {
        stopped.push(item);
        reject(new Error('second'));
      });
    });
  });
  await expect(all).rejects.toThrow('first');
  expect([begun, stopped]).toEqual([[0, 1], [0]]);
});

test('the error is thrown once the other items are through', async () => {
  const slow = Promise.withResolvers<void>();
  let isThrown = false;
  const all = inParallel([0, 1], { atOnce: 2 }, async (item) => {
    if (item === 0) throw new Error('first');
    await slow.promise;
  }).catch((error: Error) => {
    isThrown = true;
    return error.message;
  });
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(isThrown).toBe(false);
  slow.resolve();
  expect(await all).toBe('first');
});

test('an aborted signal begins nothing', async () => {
  const begun: number[] = [];
  const work = async (item: number) => begun.push(item);
  const signal = AbortSignal.abort(new Error('left'));
  await expect(inParallel([1], { atOnce: 2, signal }, work)).rejects.toThrow('left');
  expect(await inParallel([], { atOnce: 2, signal }, work)).toEqual([]);
  expect(begun).toEqual([]);
});

test('a signal that is aborted meanwhile reaches the items under way and lets no other begin', async () => {
  const caller = new AbortController();
  const begun: number[] = [];
  const all = inParallel([0, 1], { atOnce: 1, signal: caller.signal }, async (item, stopping) => {
    begun.push(item);
    caller.abort(new Error('left'));
    stopping.throwIfAborted();
  });
  await expect(all).rejects.toThrow('left');
  expect(begun).toEqual([0]);
});
