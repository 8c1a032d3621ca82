import { ValueType } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { column } from '@catchment/testkit/columns';
import type { FetchPlan } from '../../records/domain/read-range.ts';
import { emptyRecord } from '../../records/domain/record-set.ts';
import type { EarlierRecords, ExistingRecords, RecordReader, RecordStore } from '../../records/usecases/ports.ts';
import { MAX_RECORD_MS } from '../../series/domain/store-range.ts';
import { RecentRecords } from './recent-records.ts';

const MIB = 1024 * 1024;
const signal = new AbortController().signal;
const id = (n: number) => n.toString(16).padStart(24, '0');
const NEWEST: FetchPlan = { fromMs: 0, toMs: MAX_RECORD_MS, order: 'descending', limit: 10 };

type Stores = { readonly records: RecordStore & RecordReader & EarlierRecords; readonly existing: ExistingRecords };

/** Makes memory over a store of numbers; `store.during` runs while the store is at work. */
function memory({ budgetBytes = MIB } = {}) {
  const times = new Map<string, number[]>();
  const store = {
    scans: 0,
    during: async (_what: 'scan' | 'write') => {},
    add: (nodeId: string, some: readonly number[]) => {
      const own = times.get(nodeId) ?? [];
      if ((some[0] ?? 0) > (own.at(-1) ?? -1)) for (const timeMs of some) own.push(timeMs);
      else own.splice(0, own.length, ...[...new Set([...own, ...some])].sort((a, b) => a - b));
      times.set(nodeId, own);
    },
  };
  const hold = { span: 1, held: true, current: async () => (hold.held ? hold.span : undefined) };
  const clock = { ms: 0 };
  const recent = new RecentRecords({ budgetBytes, isSpread: () => false, monotonicMs: () => clock.ms });
  recent.followLog(hold);
  const stored = recent.mirrored<Stores>({
    records: {
      scan: async ({ nodeId }, { fromMs, toMs, order }, _signal, visit) => {
        store.scans += 1;
        const found = (times.get(nodeId) ?? []).filter((timeMs) => timeMs >= fromMs && timeMs <= toMs);
        if (order === 'descending') found.reverse();
        await store.during('scan');
        for (const timeMs of found) if (!visit({ ...emptyRecord(), timeMs, number: timeMs })) return;
      },
      scanModified: async () => {},
      scanWrittenBefore: async () => {},
      writeColumns: async (columns) => {
        for (const { nodeId, timestamps } of columns) store.add(nodeId, [...timestamps]);
        await store.during('write');
      },
      deleteSeries: async (nodeIds) => {
        for (const nodeId of nodeIds) times.delete(nodeId);
        await store.during('write');
      },
    },
    existing: {} as ExistingRecords,
  });
  const reader = recent.reader(stored.records);
  const read = async (nodeId = id(1), plan: FetchPlan = NEWEST) => {
    const found: number[] = [];
    await reader.scan({ nodeId, valueType: ValueType.VALUE_TYPE_NUMBER }, plan, signal, ({ timeMs }) => {
      found.push(timeMs);
      return found.length !== plan.limit;
    });
    return found;
  };
  const write = (some: readonly number[], nodeId = id(1)) =>
    stored.records.writeColumns([column(some, { nodeId, numbers: Float64Array.from(some) })], signal);
  /** @returns whether a read did without the store */
  const isHit = async (...of: Parameters<typeof read>) => {
    const before = store.scans;
    await read(...of);
    return store.scans === before;
  };
  const warm = async (nodeId = id(1)) => {
    for (let n = 0; n < 2; n += 1) await read(nodeId);
  };
  return { recent, stored, store, hold, clock, read, write, isHit, warm };
}

test('the third read of a series does without the store, and knows what was written since', async () => {
  const { read, write, isHit, store } = memory();
  store.add(id(1), [1, 2, 3]);
  expect([await isHit(), await isHit(), await isHit()]).toEqual([false, false, true]);
  await write([2, 4]);
  expect(await read()).toEqual([4, 3, 2, 1]);
  expect(await isHit()).toBe(true);
});

describe('pages of a series', () => {
  const RECORDS = 50_000;
  const PAGE = 5_000;
  const times = Array.from({ length: RECORDS }, (_, n) => n * 60);
  const pages = times.filter((_, n) => n % PAGE === 0);
  const page = (fromMs: number): FetchPlan => ({ fromMs, toMs: MAX_RECORD_MS, order: 'ascending', limit: PAGE });
  const paged = (budgetBytes = 16 * MIB) => {
    const of = memory({ budgetBytes });
    of.store.add(id(1), times);
    /** @returns how often the store was asked */
    const readAll = async () => {
      const before = of.store.scans;
      for (const fromMs of pages) {
        const found = await of.read(id(1), page(fromMs));
        expect([found.length, found[0]]).toEqual([PAGE, fromMs]);
      }
      return of.store.scans - before;
    };
    return { ...of, readAll };
  };

  test('become one window: read again they do without the store', async () => {
    const { readAll, recent } = paged();
    // The first page is kept from its second reading on, and the others with it.
    expect([await readAll(), await readAll()]).toEqual([6, 1]);
    expect([await readAll(), await readAll(), recent.count]).toEqual([5, 0, 1]);
  });

  test('are not joined where they would take too much of the budget, and are right', async () => {
    const { readAll, recent } = paged(2 * MIB);
    for (let n = 0; n < 3; n += 1) expect(await readAll()).toBeGreaterThan(1);
    expect(recent.bytes).toBeLessThanOrEqual(2 * MIB);
  });

  test('are not joined with what was written while the next one was read', async () => {
    const { read, store, write } = paged();
    for (const fromMs of pages.slice(0, 3)) await read(id(1), page(fromMs));
    store.during = async (what) => {
      store.during = async () => {};
      if (what === 'scan') await write([times[PAGE * 4]! + 1]);
    };
    await read(id(1), page(pages[3]!));
    expect((await read(id(1), page(pages[4]!))).slice(0, 3)).toEqual([0, 1, 60].map((ms) => pages[4]! + ms));
  });

  test('a page far behind the last one is none of them', async () => {
    const { read, isHit } = paged();
    for (const fromMs of pages.slice(0, 3)) await read(id(1), page(fromMs));
    expect(await isHit(id(1), page(pages[8]!))).toBe(false);
    expect(await isHit(id(1), page(pages[2]!))).toBe(true);
  });
});

test('while a write is under way the store is asked, until it has taken it', async () => {
  const { write, isHit, store, warm } = memory();
  await warm();
  const during: boolean[] = [];
  store.during = async (what) => {
    if (what === 'write') during.push(await isHit());
  };
  await write([5]);
  expect([during, await isHit()]).toEqual([[false], true]);
});

test('what is written while a window is read spoils the window, not the answer', async () => {
  const { read, write, isHit, store } = memory();
  store.add(id(1), [1, 2]);
  await read();
  store.during = async (what) => {
    store.during = async () => {};
    if (what === 'scan') await write([3]);
  };
  expect(await read()).toEqual([2, 1]);
  expect([await isHit(), await read()]).toEqual([false, [3, 2, 1]]);
});

test('a write that failed may still arrive: nothing is answered from memory for a while', async () => {
  const { write, isHit, store, warm, clock, recent } = memory();
  await warm();
  store.during = async (what) => {
    if (what === 'write') throw unavailable('INFLUX_UNAVAILABLE');
  };
  await expect(write([5])).rejects.toThrow();
  expect(recent.count).toBe(0);
  clock.ms += 119_000;
  await warm();
  expect(await isHit()).toBe(false);
  clock.ms += 1_000;
  await warm();
  expect(await isHit()).toBe(true);
});

test.each<[string, (of: ReturnType<typeof memory>) => void]>([
  [
    'another replica may have got something since',
    ({ hold }) => {
      hold.span += 1;
    },
  ],
  [
    'the broker does not say that nobody has',
    ({ hold }) => {
      hold.held = false;
    },
  ],
])('a window is not used where %s', async (_what, change) => {
  const of = memory();
  await of.warm();
  expect(await of.isHit()).toBe(true);
  change(of);
  expect(await of.isHit()).toBe(false);
});

test('where others have the log the broker is asked a few times a second only', async () => {
  const { read, warm, hold, clock } = memory();
  await warm();
  let asked = 0;
  hold.current = async () => {
    asked += 1;
    return undefined;
  };
  for (let n = 0; n < 100; n += 1) await read();
  expect(asked).toBe(3);
  clock.ms += 1_000;
  for (let n = 0; n < 100; n += 1) await read();
  expect(asked).toBeLessThanOrEqual(4);
});

test.each<[string, (of: ReturnType<typeof memory>) => Promise<void>]>([
  ['the series', ({ stored }) => stored.records.deleteSeries([id(1)], signal)],
  [
    'another value type',
    ({ stored }) =>
      stored.records.writeColumns(
        [column([1], { nodeId: id(1), valueType: ValueType.VALUE_TYPE_TEXT, texts: ['a'] })],
        signal,
      ),
  ],
])('a window goes with %s', async (_what, act) => {
  const of = memory();
  await of.warm();
  expect(of.recent.count).toBe(1);
  await act(of);
  expect([of.recent.count, of.recent.bytes]).toEqual([0, 0]);
});

test('10 000 series stay within the budget, and those that were read last are there', async () => {
  const { store, warm, recent, isHit } = memory();
  const times = Array.from({ length: 60 }, (_, n) => n);
  for (let n = 0; n < 10_000; n += 1) store.add(id(n), times);
  for (let n = 0; n < 10_000; n += 1) await warm(id(n));
  expect(recent.bytes).toBeLessThanOrEqual(MIB);
  expect(recent.count).toBeGreaterThan(200);
  expect([await isHit(id(9_999)), await isHit(id(0))]).toEqual([true, false]);
});

test('of a series of a million records some of the newest are kept, also when it grows', async () => {
  const { store, warm, recent, isHit, write } = memory();
  store.add(
    id(1),
    Array.from({ length: 1_000_000 }, (_, n) => n),
  );
  await warm();
  expect([recent.count, await isHit()]).toEqual([1, true]);
  for (let n = 0; n < 20; n += 1) await write(Array.from({ length: 1_000 }, (_, m) => 1_000_000 + n * 1_000 + m));
  expect(recent.bytes).toBeLessThanOrEqual(MIB / 8);
  const whole: FetchPlan = { fromMs: 0, toMs: 2_000_000, order: 'ascending', limit: undefined };
  expect([await isHit(), await isHit(id(1), whole)]).toEqual([true, false]);
});
