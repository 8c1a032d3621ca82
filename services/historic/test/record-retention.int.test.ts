import { setImmediate } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import type { DaysOf } from '@catchment/node-replica';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { pgRecordRetention } from '../src/retention/store/pg-record-retention.ts';
import { type ExpiryDeps, expireRecords } from '../src/retention/usecases/expire-records.ts';
import { type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const DAY_MS = 86_400_000;
/** The days of the test are in the past: the clock of the database has passed them. They begin at six: no step of the test passes midnight. */
const DAY_0 = (Math.floor(Date.now() / DAY_MS) - 3) * DAY_MS + DAY_MS / 4;
const DAY_1 = DAY_0 + DAY_MS + 1_000;
const DAY_2 = DAY_0 + 2 * DAY_MS;
const running = new AbortController().signal;
const log = createLogger('test', { level: 'silent' });
const daysAgo = (days: number) => Math.floor(DAY_1 / DAY_MS) * DAY_MS - days * DAY_MS;

let h: Historic;
beforeAll(async () => {
  h = await startHistoric();
});
afterAll(() => h?.close());
// Accounts of other tests would have their turns.
afterEach(() => h.database.query('DELETE FROM record_retention'));

const only = (days: Record<string, number>): DaysOf => ({ installation: 0, own: new Map(Object.entries(days)) });

const depsAt = (nowMs: number, days: DaysOf, change: Partial<ExpiryDeps> = {}): ExpiryDeps => ({
  accounts: pgRecordRetention(h.database),
  daysOf: async () => days,
  olderAmong: h.shards.olderAmong,
  append: (sourceId, entries) => h.append({ sourceId } as NodeConfig, entries),
  backlog: async () => 0,
  pause: () => setImmediate(),
  now: () => nowMs,
  log,
  ...change,
});

/** All steps that are due. @returns how many there were */
async function sweep(nowMs: number, days: DaysOf, change: Partial<ExpiryDeps> = {}): Promise<number> {
  let steps = 0;
  while (await expireRecords(depsAt(nowMs, days, change), running)) steps += 1;
  await h.idle();
  return steps;
}

/** The days are known, and their time of grace is over. */
async function sweepAfterGrace(days: DaysOf, change: Partial<ExpiryDeps> = {}): Promise<number> {
  await sweep(DAY_0, days);
  return sweep(DAY_1, days, change);
}

const timesOf = async (node: NodeConfig): Promise<number[]> => {
  const chunks = await h.readSeries(node, { startMs: 0 });
  return chunks.flatMap((chunk) => {
    const bytes = Buffer.from(chunk.timestamps);
    return Array.from({ length: bytes.length / 8 }, (_, n) => bytes.readDoubleLE(n * 8));
  });
};
const stored = async (node: NodeConfig, ...ages: number[]) => {
  await h.nodeChanged(node);
  await h.write(
    node,
    jts(ages.map((age, n) => [new Date(daysAgo(age)).toISOString(), { v: node.class.includes('Text') ? `t${n}` : n }])),
  );
  return node;
};
const text = { series: { valueType: TYPES.TEXT }, class: 'point.TextPoint' } as const;

test('records older than the days of their account go, of every kind and however they are stored; others stay', async () => {
  const [mine, theirs] = [h.source(), h.source()];
  const numbers = await stored(h.child(mine), 400, 100, 30, 29, 1);
  const texts = await stored(h.child(mine, text), 400, 31, 30);
  const node = await stored(h.child(mine), 31);
  const fresh = await stored(h.child(mine), 0);
  const other = await stored(h.child(theirs), 400, 366, 365, 30);
  await h.idle();
  const days = { installation: 365, own: new Map([[mine.ownerId, 30]]) };
  await sweepAfterGrace(days);
  expect(await timesOf(numbers)).toEqual([30, 29, 1].map(daysAgo));
  expect(await timesOf(texts)).toEqual([daysAgo(30)]);
  expect(await timesOf(node)).toEqual([]);
  expect(await timesOf(fresh)).toEqual([daysAgo(0)]);
  expect(await timesOf(other)).toEqual([365, 30].map(daysAgo));
});

test('an account that keeps its records for ever loses none, whatever the installation has', async () => {
  const node = await stored(h.child(h.source()), 9_000, 1);
  await h.idle();
  await sweepAfterGrace({ installation: 1, own: new Map([[node.ownerId, 0]]) });
  expect(await timesOf(node)).toEqual([9_000, 1].map(daysAgo));
});

test('the removal is that of a range by the API, but silent: same edges, no acquisition and no event', async () => {
  const [swept, cleared] = [
    await stored(h.child(h.source()), 50, 40, 2, 1),
    await stored(h.child(h.source()), 50, 40, 2, 1),
  ];
  await h.idle();
  const before = h.applied.length;
  await sweepAfterGrace(only({ [swept.ownerId]: 30 }));
  const range = jts([50, 31].map((age) => [new Date(daysAgo(age)).toISOString(), null]));
  await h.write(cleared, range, { writeMode: 'DELETE_RANGE' });
  await h.idle();
  const [own, byApi] = [swept, cleared].map(({ nodeId }) =>
    h.applied.slice(before).filter(({ series }) => series.some((applied) => applied.nodeId === nodeId)),
  );
  const shown = (batches: typeof own) =>
    batches?.map(({ series }) =>
      series.map(({ recompute, edges, newest }) => ({ recompute, newest, edges: { ...edges, nodeId: '' } })),
    );
  expect(shown(own)).toEqual(shown(byApi));
  expect(own).toHaveLength(1);
  expect(own?.[0]).toMatchObject({ acquisitions: [], seriesDeletes: [], columnFailures: [], seriesEdited: [] });
});

test('days that are new wait for a day and can be taken back; so do days that change', async () => {
  const node = await stored(h.child(h.source()), 50, 10, 1);
  await h.idle();
  const [wrong, right] = [only({ [node.ownerId]: 5 }), only({ [node.ownerId]: 30 })];
  expect(await sweep(DAY_0, right)).toBe(0);
  // A mistake is seen and taken back before its time.
  expect(await sweep(DAY_0 + DAY_MS / 2, wrong)).toBe(0);
  expect(await sweep(DAY_1, wrong)).toBe(0);
  expect(await sweep(DAY_1, right)).toBe(0);
  expect(await timesOf(node)).toEqual([50, 10, 1].map(daysAgo));
  expect(await sweep(DAY_2 + 2_000, right)).toBeGreaterThan(0);
  expect(await timesOf(node)).toEqual([10, 1].map(daysAgo));
  // It goes back and forth: the time begins again.
  await sweep(DAY_2 + 3_000, only({}));
  expect(await sweep(DAY_2 + 4_000, wrong)).toBe(0);
});

test('while nodes does not say how long records are kept, none are removed', async () => {
  const node = await stored(h.child(h.source()), 50);
  await h.idle();
  const days = only({ [node.ownerId]: 30 });
  await sweep(DAY_0, days);
  const away = () => Promise.reject(new Error('nodes is away'));
  await expect(sweep(DAY_1, days, { daysOf: away })).rejects.toThrow('nodes is away');
  expect(await timesOf(node)).toEqual([daysAgo(50)]);
});

test.each(['MERGE_OVERWRITE_EXISTING', 'INSERT_FAIL_ON_EXISTING', 'MERGE_PRESERVE_EXISTING', 'INSERT_DELETE_EXISTING'])(
  'a record that comes late is stored by %s, and goes with the sweep of the next day',
  async (writeMode) => {
    const node = await stored(h.child(h.source()), 50, 40, 1);
    await h.idle();
    const days = only({ [node.ownerId]: 30 });
    await sweepAfterGrace(days);
    const late = jts([45, 35].map((age) => [new Date(daysAgo(age)).toISOString(), { v: age }]));
    await h.write(node, late, { writeMode });
    expect(await sweep(DAY_1 + 1_000, days)).toBe(0);
    expect(await timesOf(node)).toEqual([45, 35, 1].map(daysAgo));
    await sweep(DAY_2, days);
    expect(await timesOf(node)).toEqual([daysAgo(1)]);
  },
);

test('a sweep that is cut off goes on where it was, in steps of 20 series', async () => {
  const source = h.source();
  const nodes: NodeConfig[] = [];
  for (let n = 0; n < 45; n += 1) nodes.push(await stored(h.child(source), 50, 1));
  await h.idle();
  const days = only({ [source.ownerId]: 30 });
  await sweep(DAY_0, days);
  const { append } = depsAt(DAY_1, days);
  const appended: number[] = [];
  const dying: ExpiryDeps['append'] = async (sourceId, entries) => {
    appended.push(entries.length);
    await append(sourceId, entries);
    // The log has it, and nobody notes how far the sweep was.
    if (appended.length === 2) throw new Error('killed');
  };
  await sweep(DAY_1, days, { append: dying });
  expect(appended).toEqual([20, 20]);
  // The second step is repeated, by then without effect or with the same.
  await sweep(DAY_1 + 60_000, days, { append: dying });
  expect(appended.at(-1)).toBe(5);
  for (const node of nodes) expect(await timesOf(node)).toEqual([daysAgo(1)]);
});

test('accounts take turns, and one that fails does not hold up the others', async () => {
  const [broken, fine] = [await stored(h.child(h.source()), 50), await stored(h.child(h.source()), 50)];
  await h.idle();
  const days = only({ [broken.ownerId]: 30, [fine.ownerId]: 30 });
  const olderAmong: ExpiryDeps['olderAmong'] = async (nodeIds, ...rest) => {
    if (nodeIds.includes(broken.nodeId)) throw new Error('its InfluxDB is away');
    return h.shards.olderAmong(nodeIds, ...rest);
  };
  await sweepAfterGrace(days, { olderAmong });
  expect([await timesOf(broken), await timesOf(fine)]).toEqual([[daysAgo(50)], []]);
  await sweep(DAY_1 + 60_000, days);
  expect(await timesOf(broken)).toEqual([]);
});

test('a clock that is ahead of that of the database removes nothing before its time', async () => {
  const node = await stored(h.child(h.source()), 50, 1);
  await h.idle();
  const days = only({ [node.ownerId]: 30 });
  await sweep(DAY_0, days);
  await sweep(DAY_0 + 4_000 * DAY_MS, days);
  expect(await timesOf(node)).toEqual([daysAgo(1)]);
});

describe('while much is on its way to a store', () => {
  test('sweeps wait, and go on within seconds', async () => {
    const node = await stored(h.child(h.source()), 50);
    await h.idle();
    const days = only({ [node.ownerId]: 30 });
    await sweep(DAY_0, days);
    let nowMs = DAY_1;
    const pause = async (ms: number) => {
      nowMs += ms;
    };
    const busyMs = 9_000;
    const backlog = async () => (nowMs < DAY_1 + busyMs ? 21 : 20);
    const deps = depsAt(DAY_1, days, { now: () => nowMs, backlog, pause });
    while (nowMs < DAY_1 + busyMs) expect(await expireRecords(deps, running)).toBe(true);
    await h.idle();
    expect(await timesOf(node)).toEqual([daysAgo(50)]);
    while (await expireRecords(deps, running));
    await h.idle();
    expect([nowMs < DAY_1 + busyMs + 10_000, await timesOf(node)]).toEqual([true, []]);
  });

  test('those of accounts whose records are elsewhere go on', async () => {
    const [waiting, going] = [await stored(h.child(h.source()), 50), await stored(h.child(h.source()), 50)];
    await h.idle();
    const days = only({ [waiting.ownerId]: 30, [going.ownerId]: 30 });
    await sweep(DAY_0, days);
    let nowMs = DAY_1;
    const pause = async (ms: number) => {
      nowMs += ms;
    };
    const backlog = async (nodeIds: readonly string[]) => (nodeIds.includes(waiting.nodeId) ? 1_000_000 : 0);
    const deps = depsAt(DAY_1, days, { now: () => nowMs, backlog, pause });
    for (let step = 0; step < 4; step += 1) await expireRecords(deps, running);
    await h.idle();
    expect([await timesOf(waiting), await timesOf(going)]).toEqual([[daysAgo(50)], []]);
  });
});

test('nodes without records, deleted ones and accounts without nodes are passed over', async () => {
  const source = h.source();
  await h.nodeChanged(source);
  await h.nodeChanged(h.child(source));
  const gone = await stored(h.child(source), 50);
  await h.nodesDeleted(gone);
  await h.idle();
  const nobody = newObjectId();
  await sweepAfterGrace(only({ [source.ownerId]: 30, [nobody]: 30 }));
  const { rows } = await h.database.query('SELECT owner_id, swept_to_ms, cutoff_ms FROM record_retention');
  expect(rows).toEqual([{ owner_id: source.ownerId, swept_to_ms: daysAgo(30), cutoff_ms: null }]);
});

test('how long records of an account are kept is answered as it holds now: new days with the time from which on they remove', async () => {
  const node = await stored(h.child(h.source()), 1);
  const { ownerId } = node;
  const accounts = pgRecordRetention(h.database);
  expect(await accounts.of(ownerId)).toBeUndefined();
  // The account is known once its first node has come.
  await until(async () => {
    await sweep(DAY_0, only({ [ownerId]: 30 }));
    return accounts.of(ownerId);
  });
  expect(await accounts.of(ownerId)).toEqual({ days: 30, removedFromMs: DAY_0 + DAY_MS });
  await sweep(DAY_1, only({ [ownerId]: 30 }));
  expect(await accounts.of(ownerId)).toEqual({ days: 30 });
  expect(await accounts.of('f'.repeat(24))).toBeUndefined();
});
