import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '@catchment/errors';
import { Gather, type Gathered, type GatherOptions, gathered } from './gather.ts';

type Item = string;
type Options = Partial<GatherOptions<Item, string>>;
const LIMITS = { batch: { items: 9 } };
const waiting = (items: number, more = {}) => ({ waiting: { items, ...more, reason: 'INGEST_BUSY' as const } });
/** A capital letter is ten times as large as a small one. */
const sizeOf = (item: Item) => ({ records: 1, bytes: item === item.toUpperCase() ? 10 : 1 });

/** Makes a gather whose time passes, and whose batches end, when the test says so. */
function fixture(options: Options = {}) {
  let nowMs = 0;
  const timers = new Set<{ dueMs: number; wake: () => void }>();
  const begun: string[] = [];
  const underWay: (PromiseWithResolvers<void> & { batch: readonly Gathered<Item, string>[] })[] = [];
  const outcomes = new Map<Item, string>();
  const gather = new Gather<Item, string>({
    ...LIMITS,
    sizeOf,
    clock: {
      now: () => nowMs,
      after: (ms, wake) => {
        const timer = { dueMs: nowMs + ms, wake };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    work: (batch) => {
      begun.push(`${batch.map(({ item }) => item).join('')}@${nowMs}`);
      const work = Promise.withResolvers<void>();
      underWay.push({ ...work, batch });
      return work.promise;
    },
    ...options,
  });
  const add = (item: Item) =>
    void (async () => gather.add(item))().then(
      (result) => outcomes.set(item, result),
      (error: Error) => outcomes.set(item, error instanceof DomainError ? error.reason : error.message),
    );
  const settle = () => new Promise(setImmediate);
  const pass = (ms: number) => {
    nowMs += ms;
    for (const timer of [...timers]) {
      if (timer.dueMs > nowMs) continue;
      timers.delete(timer);
      timer.wake();
    }
  };
  const end = async (error?: Error) => {
    const work = underWay.shift();
    if (error) work?.reject(error);
    else {
      for (const { resolve } of work?.batch ?? []) resolve('stored');
      work?.resolve();
    }
    await settle();
  };
  /** `a` adds an item, `+5` passes 5 ms (`+0`: a turn), `.` ends the oldest batch that is under way, `!` makes it fail. */
  const play = async (script: string) => {
    for (const step of script.split(' ')) {
      if (step.startsWith('+')) pass(Number(step));
      else if (step === '.') await end();
      else if (step === '!') await end(new Error('away'));
      else add(step);
    }
    await settle();
  };
  const shown = () => [...outcomes].map(([item, outcome]) => `${item} ${outcome}`).join(', ');
  return { gather, play, begun: () => begun.join(' '), outcomes: shown };
}

test.each<[title: string, options: Options, script: string, begun: string]>([
  ['begins the first item at once, and what comes meanwhile together', {}, 'a b c . .', 'a@0 bc@0'],
  ['begins with what comes in the same turn where that is asked', { afterTurn: true }, 'a b +0 c d .', 'ab@0 cd@0'],
  ['takes no more items than a batch may have', { batch: { items: 2 } }, 'a b c d . . .', 'a@0 bc@0 d@0'],
  ['takes no more records', { batch: { items: 9, records: 2 } }, 'a b c d . . .', 'a@0 bc@0 d@0'],
  [
    'takes no more bytes; an item may be larger',
    { batch: { items: 9, bytes: 8 } },
    'a b c D e . . . .',
    'a@0 bc@0 D@0 e@0',
  ],
  ['lets items gather from the begin of a batch on', { lingerMs: 10 }, 'a . +4 b c +5 d +1', 'a@0 bcd@10'],
  ['begins at once after a quiet time', { lingerMs: 10 }, 'a . +10 b', 'a@0 b@10'],
  ['begins a full batch at once', { lingerMs: 10, batch: { items: 2 } }, 'a . +1 b +1 c', 'a@0 bc@2'],
  [
    'begins a full batch after the turn',
    { lingerMs: 10, afterTurn: true, batch: { items: 2 } },
    'a +0 . b +1 c +0',
    'a@0 bc@1',
  ],
  [
    'pauses from the end of a batch on, though the next is full',
    { pauseMs: 10, batch: { items: 2 } },
    'a +5 . b c +9 d +1',
    'a@0 bc@15',
  ],
  [
    'works on several batches where that is asked',
    { atOnce: 2, batch: { items: 1 } },
    'a b c d . .',
    'a@0 b@0 c@0 d@0',
  ],
  ['joins what belongs together, in its order', { joins: sameLetters }, 'x a A b B c . . . .', 'x@0 aA@0 bB@0 c@0'],
  [
    'tries each item alone when a batch is refused, before what came later',
    { splits: () => true },
    'x a b . c ! . . .',
    'x@0 ab@0 a@0 b@0 c@0',
  ],
  ['splits no batch for other errors', { splits: () => false }, 'x a b . c ! .', 'x@0 ab@0 c@0'],
])('%s', async (_title, options, script, expected) => {
  const f = fixture(options);
  await f.play(script);
  expect(f.begun()).toBe(expected);
});

function sameLetters() {
  let first: string | undefined;
  return (item: Item) => {
    first ??= item.toLowerCase();
    return item.toLowerCase() === first;
  };
}

test.each<[title: string, options: Options, script: string, outcomes: string]>([
  ['an error is that of its batch alone', {}, 'a b c ! .', 'a away, b stored, c stored'],
  [
    'of a batch that is split only the bad one fails',
    { splits: () => true },
    'x a b . ! . !',
    'x stored, a stored, b away',
  ],
  ['more items than may wait are refused at once', waiting(2), 'x a b c', 'c INGEST_BUSY'],
  ['more records too', waiting(9, { records: 2 }), 'x a b c', 'c INGEST_BUSY'],
  ['more bytes too', waiting(9, { bytes: 12 }), 'x A b c D', 'D INGEST_BUSY'],
  ['one item alone may be larger', waiting(9, { bytes: 5 }), 'x A . .', 'x stored, A stored'],
  ['there is room again for what was begun', waiting(1), 'x a . b', 'x stored'],
])('%s', async (_title, options, script, expected) => {
  const f = fixture(options);
  await f.play(script);
  expect(f.outcomes()).toBe(expected);
});

test('work that is over at once makes no batch wait, and its error is that of its items', async () => {
  const f = fixture({
    work: ([first]) => {
      if (first?.item === 'b') throw new Error('broken');
      first?.resolve('done');
      return undefined;
    },
  });
  await f.play('a b c');
  expect(f.outcomes()).toBe('a done, b broken, c done');
});

test('items that go to the front again are begun before those that wait, and are counted', async () => {
  let tries = 0;
  const seen: string[] = [];
  const f = fixture({
    ...waiting(2),
    work: async (batch) => {
      seen.push(batch.map(({ item }) => item).join(''));
      await new Promise(setImmediate);
      if (tries++ === 0) f.gather.again(batch);
      else for (const { resolve } of batch) resolve('stored');
    },
  });
  await f.play('a b c d');
  await f.gather.idle();
  expect(seen).toEqual(['a', 'abc']);
  expect(f.outcomes()).toBe('d INGEST_BUSY, a stored, b stored, c stored');
});

test('items that are dropped are never begun, and leave room', async () => {
  const f = fixture(waiting(2));
  await f.play('x a b');
  f.gather.drop(({ item }) => item === 'a');
  await f.play('c .');
  expect(f.begun()).toBe('x@0 bc@0');
});

test('it is idle when nothing waits and nothing is under way', async () => {
  const f = fixture({ pauseMs: 10 });
  await f.gather.idle();
  let isIdle = false;
  await f.play('a b');
  void f.gather.idle().then(() => {
    isIdle = true;
  });
  await f.play('. +10');
  expect(isIdle).toBe(false);
  await f.play('.');
  expect(isIdle).toBe(true);
});

test('after a stop nothing is begun: what is under way ends, the rest can be taken out', async () => {
  const f = fixture({ lingerMs: 10 });
  await f.play('a b c');
  const stopped = f.gather.stop();
  await f.play('. d +10');
  await stopped;
  expect([f.begun(), f.gather.drop()]).toEqual(['a@0', ['b', 'c', 'd']]);
});

test('one item is worked on in its own async context, several in none of theirs', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const ask = gathered<string>(async () => [void seen.push(request.getStore())], { ...LIMITS, afterTurn: true });
  await request.run('alone', () => ask('a'));
  await Promise.all(['b', 'c'].map((item) => request.run(item, () => ask(item))));
  expect(seen).toEqual(['alone', undefined]);
});

test('calls that come together are answered by one, in their order', async () => {
  const asked: (readonly number[])[] = [];
  const ask = async (items: readonly number[]) => {
    asked.push(items);
    await new Promise(setImmediate);
    return items.map((item) => item * 10);
  };
  const tenfold = gathered<number, number>(ask, LIMITS);
  expect(await Promise.all([1, 2, 3].map(tenfold))).toEqual([10, 20, 30]);
  expect(asked).toEqual([[1], [2, 3]]);
});
