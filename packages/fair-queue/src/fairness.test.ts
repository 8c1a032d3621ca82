import { setImmediate as settled } from 'node:timers/promises';
import { vi } from 'vitest';
import { FairQueue, type FairQueueOptions, PLATFORM } from './fair-queue.ts';

const LARGE = { waitingPerAccount: 1_000, waiting: 10_000, waitMs: 60_000 };

/** Makes a queue whose work is named; it ends when the test says so. */
function bench(options: Partial<FairQueueOptions> & Pick<FairQueueOptions, 'capacity'>) {
  const queue = new FairQueue({ reason: 'TOO_MANY_READS', ...LARGE, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const failures = new Map<string, unknown>();
  /** @param name the account is its first letter */
  const ask = (name: string, more: { cost?: number; lane?: string; isBulk?: boolean; signal?: AbortSignal } = {}) => {
    void queue.enter({ account: name.charAt(0), cost: 1, ...more }).then(
      (leave) => {
        begun.push(name);
        ends.set(name, leave);
      },
      (error: unknown) => failures.set(name, error),
    );
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    ends.delete(name);
    await settled();
  };
  /** Ends what goes on, the oldest first, until nothing does. */
  const endAll = async () => {
    await settled();
    for (let [name] = ends.keys(); name !== undefined; [name] = ends.keys()) await end(name);
  };
  return { queue, begun, failures, ask, end, endAll };
}

const named = (account: string, count: number) => Array.from({ length: count }, (_, n) => `${account}${n}`);

test('a second account is served next, however much of the first waits', async () => {
  const { ask, begun, end, endAll } = bench({ capacity: 1 });
  for (const name of named('a', 60)) ask(name);
  await settled();
  ask('b0');
  await end('a0');
  expect(begun).toEqual(['a0', 'b0']);
  await endAll();
  expect(begun).toHaveLength(61);
});

test('accounts take turns by what their work costs', async () => {
  const { ask, begun, endAll } = bench({ capacity: 4, perAccount: 4 });
  ask('x', { cost: 4 });
  for (const name of named('a', 4)) ask(name, { cost: 4 });
  for (const name of named('b', 16)) ask(name, { cost: 1 });
  await endAll();
  const order = begun.slice(1);
  // Each piece of `a` is followed by as much of `b`.
  const places = named('a', 4).map((name) => order.indexOf(name));
  const between = places.slice(1).map((place, n) => place - (places[n] ?? 0) - 1);
  expect(between).toEqual([4, 4, 4]);
});

test('an account that paused has not saved its turns up', async () => {
  const { ask, begun, end, endAll } = bench({ capacity: 1 });
  ask('b0');
  await settled();
  await end('b0');
  for (const name of named('a', 10)) ask(name);
  await settled();
  for (let n = 0; n < 4; n += 1) await end(`a${n}`);
  for (const name of named('b', 3)) ask(`b-${name}`);
  await endAll();
  expect(begun.slice(5, 11).filter((name) => name.startsWith('b'))).toHaveLength(3);
  expect(begun.slice(5, 11).filter((name) => name.startsWith('a'))).toHaveLength(3);
});

test('one account never has all of the room, so that another begins at once', async () => {
  const { ask, begun } = bench({ capacity: 4 });
  for (const name of named('a', 4)) ask(name);
  await settled();
  expect(begun).toEqual(['a0', 'a1']);
  ask('b0');
  await settled();
  expect(begun).toEqual(['a0', 'a1', 'b0']);
});

test('work larger than the share of its account goes on when nothing else of it does; larger than the room, alone', async () => {
  const { ask, begun, end, endAll, queue } = bench({ capacity: 4 });
  ask('a0', { cost: 1 });
  ask('a1', { cost: 3 });
  ask('b0', { cost: 99 });
  await settled();
  expect(begun).toEqual(['a0']);
  await end('a0');
  // `b` has had nothing yet.
  expect(begun).toEqual(['a0', 'b0']);
  expect(queue.load).toEqual({ inWork: 4, waiting: 1 });
  await endAll();
  expect(begun).toEqual(['a0', 'b0', 'a1']);
});

test('large work is not overtaken for ever by small work that would fit', async () => {
  const { ask, begun, end } = bench({ capacity: 4 });
  ask('a0', { cost: 2 });
  ask('b0', { cost: 2 });
  ask('c0', { cost: 4 });
  await settled();
  for (const name of named('d', 5)) ask(name);
  await end('a0');
  expect(begun).toEqual(['a0', 'b0']);
  await end('b0');
  expect(begun).toEqual(['a0', 'b0', 'c0']);
});

test('reads of an account do not wait for all of its trees', async () => {
  const { ask, begun, end } = bench({ capacity: 20 });
  for (const name of named('a', 60)) ask(name, { cost: 10, lane: 'trees' });
  for (const name of named('aread', 3)) ask(name, { cost: 1, lane: 'reads' });
  await settled();
  await end('a0');
  expect(begun.slice(0, 4)).toEqual(['a0', 'aread0', 'aread1', 'aread2']);
});

test('a small list of an account that waits with 1 000 trees begins at once, and every further one in its turn', async () => {
  const { ask, begun, end } = bench({ capacity: 8, waitingPerAccount: 500 });
  for (const name of named('a', 1_000)) ask(name, { lane: 'trees', isBulk: true });
  for (const name of named('alists', 300)) ask(name, { lane: 'lists', isBulk: true });
  await settled();
  expect(begun).toEqual(['a0', 'a1', 'a2']);
  ask('asmall0', { cost: 0.5, lane: 'short lists' });
  ask('asmall1', { cost: 0.5, lane: 'short lists' });
  await settled();
  expect(begun.slice(3)).toEqual(['asmall0', 'asmall1']);
  ask('asmall2', { cost: 0.5, lane: 'short lists' });
  await settled();
  expect(begun).toHaveLength(5);
  await end('asmall0');
  expect(begun.slice(5)).toEqual(['asmall2']);
});

test('lists of an account do not wait for the trees that came before them', async () => {
  const { ask, begun, end } = bench({ capacity: 2 });
  for (const name of named('a', 50)) ask(name, { lane: 'trees', isBulk: true });
  for (const name of named('alist', 3)) ask(name, { lane: 'lists', isBulk: true });
  await settled();
  for (let n = 0; n < 6; n += 1) await end(begun.at(-1) ?? '');
  expect(begun).toEqual(['a0', 'alist0', 'a1', 'alist1', 'a2', 'alist2', 'a3']);
});

test('work in bulk takes three quarters of its account’s share, and what is larger goes on alone', async () => {
  const { ask, begun, end, queue } = bench({ capacity: 16 });
  for (const name of named('a', 8)) ask(name, { isBulk: true });
  await settled();
  expect(begun).toHaveLength(6);
  for (const name of named('b', 2)) ask(name, { isBulk: true, cost: 7 });
  await settled();
  expect(begun.slice(6)).toEqual(['b0']);
  await end('b0');
  expect(begun.slice(6)).toEqual(['b0', 'b1']);
  expect(queue.load).toEqual({ inWork: 13, waiting: 2 });
});

test('an account that has filled its part of the queue still gets small work in, in place of the last of its longest lane', async () => {
  const { ask, begun, failures, endAll } = bench({ capacity: 1, waitingPerAccount: 4 });
  for (const name of named('a', 5)) ask(name, { lane: 'trees', isBulk: true });
  for (const name of named('asmall', 3)) ask(name, { lane: 'short lists' });
  await settled();
  expect(new Set(failures.keys())).toEqual(new Set(['a4', 'a3', 'asmall2']));
  await endAll();
  expect(begun).toEqual(['a0', 'asmall0', 'a1', 'asmall1', 'a2']);
});

test('lanes that nobody waits in are forgotten', async () => {
  const { ask, begun, endAll } = bench({ capacity: 1, waitingPerAccount: 5_000 });
  for (let n = 0; n < 2_000; n += 1) ask(`a${n}`, { lane: `list ${n}` });
  await endAll();
  expect(begun).toEqual(named('a', 2_000));
});

test('the platform’s own work is one account among the others', async () => {
  const { queue } = bench({ capacity: 1 });
  const order: string[] = [];
  const work = (account: string, what: string) => queue.run({ account, cost: 1 }, async () => void order.push(what));
  await Promise.all([
    ...['a0', 'a1', 'a2'].map((what) => work('a', what)),
    ...['p0', 'p1', 'p2'].map((what) => work(PLATFORM, what)),
  ]);
  expect(order).toEqual(['a0', 'p0', 'a1', 'p1', 'a2', 'p2']);
});

describe('a full queue', () => {
  test('refuses the account that has filled its part', async () => {
    const { ask, failures } = bench({ capacity: 1, waitingPerAccount: 2 });
    for (const name of named('a', 4)) ask(name);
    ask('b0');
    await settled();
    expect([...failures.keys()]).toEqual(['a3']);
    expect(failures.get('a3')).toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_READS' });
  });

  test('makes room for another account by the last of whoever has most in it', async () => {
    const { ask, failures, begun, endAll } = bench({ capacity: 1, waiting: 3 });
    for (const name of named('a', 4)) ask(name);
    ask('b0');
    await settled();
    expect([...failures.keys()]).toEqual(['a3']);
    await endAll();
    expect(begun).toEqual(['a0', 'b0', 'a1', 'a2']);
  });

  test('refuses the newcomer where nobody has more', async () => {
    const { ask, failures } = bench({ capacity: 1, waiting: 2 });
    for (const name of ['a0', 'b0', 'c0', 'd0']) ask(name);
    await settled();
    expect([...failures.keys()]).toEqual(['d0']);
  });
});

test('work whose caller left is dropped from the queue, and what waited behind it goes on', async () => {
  const { ask, begun, failures, queue } = bench({ capacity: 4, perAccount: 4 });
  const leaving = new AbortController();
  ask('a0', { cost: 2 });
  ask('b0', { cost: 4, signal: leaving.signal });
  ask('c0', { cost: 2 });
  await settled();
  expect(begun).toEqual(['a0']);
  leaving.abort(new Error('left'));
  await settled();
  expect(begun).toEqual(['a0', 'c0']);
  expect(failures.get('b0')).toMatchObject({ message: 'left' });
  expect(queue.load.waiting).toBe(0);
  ask('d0', { signal: leaving.signal });
  await settled();
  expect(failures.has('d0')).toBe(true);
});

test('work whose turn does not come in time is refused, and nothing of it is left', async () => {
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  try {
    const { ask, failures, queue } = bench({ capacity: 1, waitMs: 1_000 });
    ask('a0');
    ask('a1');
    await settled();
    vi.advanceTimersByTime(999);
    await settled();
    expect(failures.size).toBe(0);
    vi.advanceTimersByTime(1);
    await settled();
    expect(failures.get('a1')).toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_READS' });
    expect(queue.load).toEqual({ inWork: 1, waiting: 0 });
  } finally {
    vi.useRealTimers();
  }
});

test('a failure ends its turn, and leaving twice counts once', async () => {
  const { queue } = bench({ capacity: 1 });
  await expect(queue.run({ account: 'a', cost: 1 }, () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
  const leave = await queue.enter({ account: 'a', cost: 1 });
  leave();
  leave();
  expect(queue.load).toEqual({ inWork: 0, waiting: 0 });
});

test('work that needs less from now on gives the rest of its turn on', async () => {
  const { queue, ask, begun } = bench({ capacity: 10 });
  const leave = await queue.enter({ account: 'a', cost: 10 });
  ask('b0', { cost: 5 });
  leave(2);
  leave(7);
  await settled();
  expect(begun).toEqual(['b0']);
  expect(queue.load.inWork).toBe(7);
  leave();
  leave(0);
  expect(queue.load.inWork).toBe(5);
});

test('parts of costs add up to nothing when all is given back', async () => {
  const { queue } = bench({ capacity: 3 });
  const leaves = [];
  for (const [n, cost] of [0.1, 0.7, 1 / 3, 0.2].entries()) leaves.push(await queue.enter({ account: `${n}`, cost }));
  for (const leave of leaves) leave(0.01 / 3);
  for (const leave of leaves) leave();
  expect(queue.load.inWork).toBe(0);
  await queue.enter({ account: 'a', cost: 3 });
});

test('nothing is lost and no bound is broken by 20 000 random pieces of work', async () => {
  const capacity = 10;
  const { queue } = bench({ capacity, waitingPerAccount: 20_000, waiting: 50_000 });
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  let [most, done, left] = [0, 0, 0];
  await Promise.all(
    Array.from({ length: 20_000 }, async () => {
      const leaving = new AbortController();
      const signal = leaving.signal;
      const [isBulk, lane] = [random(2) === 0, String(random(3))];
      const work = { account: String(random(3_000)), cost: random(12), lane, isBulk, signal };
      if (random(10) === 0) void settled().then(() => leaving.abort());
      const turns = random(3);
      await queue
        .run(work, async () => {
          most = Math.max(most, queue.load.inWork);
          for (let n = 0; n < turns; n += 1) await settled();
          done += 1;
        })
        .catch(() => {
          left += 1;
        });
    }),
  );
  expect(done + left).toBe(20_000);
  expect(done).toBeGreaterThan(15_000);
  expect(most).toBeLessThanOrEqual(capacity);
  expect(queue.load).toEqual({ inWork: 0, waiting: 0 });
});
