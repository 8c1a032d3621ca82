// Ratings of the version before, which historic computed: none of its replicas takes one once processing has asked for them, and what is left
// to compute is handed over.
import { RatingsHanded } from '@catchment/contracts/ratings';
import { newObjectId } from '@catchment/ids';
import { Database } from '@catchment/pg';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { beginHandOver, endHandOver, handOverRatings } from '../src/ratings/store/hand-over-ratings.ts';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const pg = await migratedDatabase('historic');
  drop = pg.drop;
  database = new Database({ url: pg.url, schema: 'historic', applicationName: 'test', rehearsesTransactions: true });
});
afterAll(async () => {
  await database?.close();
  await drop?.();
});
beforeEach(async () => {
  await database.query('TRUNCATE ratings, rating_marks, outbox');
  await beginHandOver(database);
});
/** As a replica of the version before finds ratings to compute. */
const claimable = async () => (await database.query('SELECT FROM ratings WHERE retry_time <= now()')).rowCount;

test('until processing asks, replicas of the version before compute ratings, and nothing is handed over', async () => {
  await database.query('TRUNCATE hand_over');
  const nodeId = await store({ phase: 'empty' });
  expect([await claimable(), await handOverRatings(database), await endHandOver(database)]).toEqual([1, false, false]);
  // What one has in hand is waited for.
  let begun: Promise<void> | undefined;
  await database.transactionOnce(async (tx) => {
    await tx.query('SELECT FROM ratings WHERE node_id = $1 FOR UPDATE', [nodeId]);
    begun = beginHandOver(database);
    await tx.query('UPDATE ratings SET position_ms = 5 WHERE node_id = $1', [nodeId]);
  });
  await begun;
  expect(await claimable()).toBe(0);
  expect((await all()).flatMap(({ ratings }) => ratings)).toMatchObject([{ nodeId, positionMs: 4 }]);
});

const handed = async (): Promise<RatingsHanded[]> => {
  const { rows } = await database.query<{ subject: string; data: Buffer }>(
    'DELETE FROM outbox RETURNING subject, data',
  );
  return rows.map(({ subject, data }) => {
    expect(subject).toBe('historic.ratings.handed.v1');
    return RatingsHanded.decode(data);
  });
};
const all = async (): Promise<RatingsHanded[]> => {
  while (await handOverRatings(database));
  return handed();
};

/** As a replica of the version before stores one. */
async function store(change: Record<string, unknown> = {}): Promise<string> {
  const row = {
    node_id: newObjectId(),
    owner_id: newObjectId(),
    workspace_id: newObjectId(),
    source_id: newObjectId(),
    class: 'point.NumberRatingPoint',
    revision: 3,
    input_node_id: newObjectId(),
    digest: 'd',
    phase: null,
    input_multiplier: 2,
    input_offset: 0.5,
    input_equation: '',
    ...change,
  };
  const columns = Object.keys(row);
  await database.query(
    `INSERT INTO ratings (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(row),
  );
  return row.node_id;
}
const mark = (nodeId: string, timestamps: Buffer | null = null) =>
  database.query(
    'INSERT INTO rating_marks (node_id, silent, from_ms, to_ms, clears, timestamps) VALUES ($1, true, 1, 2, false, $2)',
    [nodeId, timestamps],
  );

test('names each rating once, with its place, and what is left to compute', async () => {
  const done = await store();
  const filling = await store({ phase: 'fill', position_ms: 1_001, since_ms: 7, news_from_ms: 9, done_records: 5 });
  const isNew = await store({ phase: 'empty', input_multiplier: null, has_failed: true });
  const times = Buffer.from(Float64Array.of(1, 2).buffer);
  await mark(done, times);
  const messages = await all();
  const byId = new Map(messages.flatMap(({ ratings }) => ratings).map((rating) => [rating.nodeId, rating]));
  expect(byId.get(done)).toMatchObject({
    revision: 3,
    digest: 'd',
    transform: '[2,0.5,""]',
    phase: '',
    hasFailed: false,
  });
  expect(byId.get(filling)).toMatchObject({
    phase: 'fill',
    positionMs: 1_000,
    sinceMs: 7,
    newsFromMs: 9,
    doneRecords: 5,
  });
  expect(byId.get(isNew)).toMatchObject({ phase: 'empty', transform: undefined, hasFailed: true });
  expect(messages.flatMap(({ marks }) => marks)).toEqual([
    { nodeId: done, silent: true, fromMs: 1, toMs: 2, clears: false, timestamps: times },
  ]);
  expect(await all()).toEqual([]);
});

test('what a replica of the version before notes later is handed over too, and none takes a rating any more', async () => {
  const nodeId = await store();
  await all();
  await mark(nodeId);
  const later = await store({ phase: 'empty' });
  // As it follows a changed rating.
  await database.query(`UPDATE ratings SET phase = 'empty', retry_time = '-infinity' WHERE node_id = $1`, [nodeId]);
  const messages = await all();
  expect(messages.flatMap(({ ratings, marks }) => [...ratings, ...marks]).map((message) => message.nodeId)).toEqual([
    later,
    nodeId,
  ]);
  expect(await claimable()).toBe(0);
});

test('a rating that was taken away and is emptied is nothing to go on with; the end is a message of its own', async () => {
  await store({ digest: '', input_node_id: null });
  expect(await all()).toEqual([]);
  await endHandOver(database);
  expect(await handed()).toEqual([{ ratings: [], marks: [], isLast: true }]);
});
