import { NodeConfig } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { markDeleted, saveNodes } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { DEFAULT_SHARD } from '../src/records/domain/default-shard.ts';
import { pgShardMoves } from '../src/shards/store/pg-shard-moves.ts';
import { pgShardTable } from '../src/shards/store/pg-shard-table.ts';
import { type MoveDeps, MoveWorker } from '../src/shards/usecases/move-worker.ts';

const PARTITIONS = 2;
const log = createLogger('test', { level: 'silent' });
let pg: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let worker: MoveWorker | undefined;

beforeAll(async () => {
  pg = await migratedDatabase('historic');
  database = new Database({ url: pg.url, schema: 'historic', applicationName: 'test', rehearsesTransactions: true });
  const table = pgShardTable(database, PARTITIONS);
  await table.register(['b', 'c']);
  await table.activate();
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  stopped.clear();
  await database.query(`UPDATE shard_moves SET state = 'cancelled', ended_time = now() WHERE state = 'moving'`);
  await database.query(`UPDATE shard_portions SET state = 'cancelled' WHERE state NOT IN ('moved', 'cancelled')`);
});
afterAll(async () => {
  await database?.close();
  await pg?.drop();
});

const moves = () => pgShardMoves(database);
const moveOf = async (moveId: number) => (await moves().list()).find((move) => move.moveId === moveId);
const isDone = async (moveId: number) => (await moveOf(moveId))?.state === 'done';

/** The newest marks of the log have this number; writers of `stopped` shards do not pass them. */
let marks = 0;
const stopped = new Set<string>();
/** The writer of a shard comes to the newest marks. */
const passed = (shard: string) =>
  database.query('UPDATE shard_claims SET applied = greatest(applied, $2) WHERE shard = $1', [shard, marks]);

/** Starts a worker without records, and with writers that are where they should be, unless a test says otherwise. */
function start(change: Partial<MoveDeps> = {}): void {
  worker = new MoveWorker({
    moves: moves(),
    graceSeconds: 600,
    log,
    isSpread: () => true,
    mark: async () => {
      marks += 1;
      for (const shard of [DEFAULT_SHARD, 'b', 'c', 'd']) if (!stopped.has(shard)) await passed(shard);
      return Array<number>(PARTITIONS).fill(marks);
    },
    copy: async () => ({ records: 0, rest: new Map() }),
    remove: async () => {},
    ...change,
  });
}

/** Makes a workspace with `count` nodes at `default`, itself among them. */
async function workspaceOf(count: number, ownerId = newObjectId()) {
  const workspaceId = newObjectId();
  const nodes = Array.from({ length: count }, (_, n) => {
    const nodeId = n === 0 ? workspaceId : newObjectId();
    return NodeConfig.fromPartial({ ownerId, workspaceId, nodeId, sourceId: nodeId, revision: 1 });
  });
  await saveNodes(database, nodes);
  return { ownerId, workspaceId, nodeIds: nodes.map(({ nodeId }) => nodeId) };
}

async function placesOf(nodeIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await database.query<{ shard: string; count: number }>(
    `SELECT coalesce(s.shard, $2) AS shard, count(*)::int AS count
     FROM unnest($1::text[]) AS n (node_id) LEFT JOIN series_shards s USING (node_id) GROUP BY 1 ORDER BY 1`,
    [nodeIds, DEFAULT_SHARD],
  );
  return new Map(rows.map(({ shard, count }) => [shard, count]));
}

test('a move ends where thousands of nodes of the account are elsewhere, and those stay', async () => {
  const before = await workspaceOf(2_500);
  const moved = await workspaceOf(250, before.ownerId);
  const after = await workspaceOf(2_500, before.ownerId);
  const { moveId } = await moves().ask(moved.workspaceId, 'b');
  start();
  await until(() => isDone(moveId), { what: 'the move has ended' });
  expect(await placesOf(moved.nodeIds)).toEqual(new Map([['b', 250]]));
  expect(await placesOf([...before.nodeIds, ...after.nodeIds])).toEqual(new Map([[DEFAULT_SHARD, 5_000]]));
});

test('a move waits for series that another one holds, says so, and takes them along', async () => {
  const here = await workspaceOf(3);
  const there = await workspaceOf(3, here.ownerId);
  const first = await moves().ask(here.workspaceId, 'b');
  start();
  await until(() => isDone(first.moveId), { what: 'the first move has ended' });
  // Its old records are still there when one of its nodes gets into the other workspace.
  const nodeId = here.nodeIds[1] ?? '';
  const node = { ...there, nodeId, sourceId: nodeId, revision: 2 };
  await saveNodes(database, [NodeConfig.fromPartial(node)]);
  const second = await moves().ask(there.workspaceId, 'c');
  const heldUp = async () => (await moveOf(second.moveId))?.failure?.startsWith('waits for another move');
  await until(heldUp, { what: 'it says what it waits for' });
  expect(await moveOf(second.moveId)).toMatchObject({ state: 'moving', seriesMoved: 3 });
  expect(await moves().left(second)).toBe(1);
  await until(() => moves().clean(0, 0, async () => undefined), {
    what: 'the old records are removed',
  });
  await database.query('UPDATE shard_moves SET try_time = now()');
  await until(() => isDone(second.moveId), { what: 'the second move has ended' });
  expect(await placesOf([...there.nodeIds, nodeId])).toEqual(new Map([['c', 4]]));
});

const portionsOf = async (moveId: number) => {
  const { rows } = await database.query<{ state: string; left_ms: number; boundaries: number[] }>(
    `SELECT state, 1000 * extract(epoch FROM cut_until - clock_timestamp())::float8 AS left_ms, boundaries::float8[] AS boundaries
     FROM shard_portions WHERE move_id = $1 ORDER BY portion_id`,
    [moveId],
  );
  return rows;
};

test('no switchover begins while the writer of the old shard is behind, and the move says so', async () => {
  const { workspaceId, nodeIds } = await workspaceOf(3);
  const { moveId } = await moves().ask(workspaceId, 'b');
  let hasBegun = false;
  start({
    async copy() {
      // The writer of the old shard finishes what it began before the move, and stops then.
      stopped.add(DEFAULT_SHARD);
      return { records: 0, rest: new Map() };
    },
    async mark() {
      hasBegun ||= (await portionsOf(moveId)).some(({ state }) => state === 'cutting') && stopped.has(DEFAULT_SHARD);
      marks += 1;
      if (!stopped.has(DEFAULT_SHARD)) await passed(DEFAULT_SHARD);
      return Array<number>(PARTITIONS).fill(marks);
    },
  });
  const heldUp = async () => (await moveOf(moveId))?.failure?.startsWith('waits for the writer of default');
  await until(heldUp, { what: 'it says what it waits for' });
  // It is passed too late, so another one is tried.
  await database.query(`UPDATE shard_portions SET cut_until = clock_timestamp() WHERE move_id = $1`, [moveId]);
  const late = marks;
  await passed(DEFAULT_SHARD);
  await until(() => marks > late, { what: 'there is another mark' });
  expect([hasBegun, await placesOf(nodeIds)]).toEqual([false, new Map([[DEFAULT_SHARD, 3]])]);
  stopped.clear();
  await passed(DEFAULT_SHARD);
  await until(() => isDone(moveId), { what: 'the move has ended' });
  expect(await moveOf(moveId)).toMatchObject({ seriesMoved: 3, failure: undefined });
});

test('a workspace changes its shard at one sequence of each partition, however many series it has', async () => {
  const { workspaceId, nodeIds } = await workspaceOf(1_200);
  const { moveId } = await moves().ask(workspaceId, 'b');
  start();
  await until(() => isDone(moveId), { what: 'the move has ended' });
  const portions = await portionsOf(moveId);
  expect(portions).toMatchObject([{ state: 'left', boundaries: [marks, marks] }]);
  expect(await placesOf(nodeIds)).toEqual(new Map([['b', 1_200]]));
});

test('a shard that is away holds up its own moves and its own old copies, and says so', async () => {
  const [first, second] = [await workspaceOf(2), await workspaceOf(2)];
  const atDefault = await moves().ask(first.workspaceId, 'b');
  let isAway = true;
  const removed: string[] = [];
  start({
    graceSeconds: 0,
    async remove(shard, nodeIds) {
      if (shard === DEFAULT_SHARD && isAway && nodeIds.includes(first.workspaceId))
        throw unavailable('INFLUX_UNAVAILABLE');
      removed.push(...nodeIds);
    },
  });
  const says =
    (text: string, { moveId }: { moveId: number }) =>
    async () => {
      const move = await moveOf(moveId);
      return (move?.failure ?? move?.cleaningFailure)?.startsWith(text);
    };
  await until(says('INFLUX_UNAVAILABLE', atDefault), { what: 'its old copies cannot be removed' });
  // The same worker goes on with another move meanwhile.
  const other = await moves().ask(second.workspaceId, 'c');
  await until(
    async () => (await moveOf(other.moveId))?.state === 'done' && (await moveOf(other.moveId))?.leftBehind === 0,
    {
      what: 'the other one is moved, and its old copies are removed',
    },
  );
  expect(await moveOf(atDefault.moveId)).toMatchObject({ state: 'done', leftBehind: 2 });
  isAway = false;
  await database.query('UPDATE shard_portions SET next_try = now()');
  await until(async () => (await moveOf(atDefault.moveId))?.leftBehind === 0);
  // A move away from a shard whose writer stands is the older one.
  stopped.add('b');
  const held = await moves().ask(first.workspaceId, 'c');
  const next = await moves().ask(second.workspaceId, DEFAULT_SHARD);
  await until(says('waits for the writer of b', held), { what: 'it says what it waits for' });
  await until(() => isDone(next.moveId), { what: 'the next one has ended' });
  stopped.clear();
  await passed('b');
  await until(() => isDone(held.moveId), { what: 'the one that waited has ended' });
  expect(new Set(removed)).toEqual(new Set([...first.nodeIds, ...second.nodeIds]));
});

test('a shard is removed once only deleted nodes were there, and not before', async () => {
  const table = pgShardTable(database, PARTITIONS);
  await table.register(['d']);
  await database.query(`UPDATE shards SET is_active = true WHERE name = 'd'`);
  const { workspaceId, ownerId, nodeIds } = await workspaceOf(4);
  const { moveId } = await moves().ask(workspaceId, 'd');
  start();
  await until(() => isDone(moveId), { what: 'the move has ended' });
  await expect(table.remove('d')).rejects.toMatchObject({ reason: 'SHARD_IN_USE' });
  await until(() => moves().clean(0, 0, async () => undefined), {
    what: 'the old records are removed',
  });
  const deleted = (some: readonly string[]) =>
    markDeleted(
      database,
      ownerId,
      some.map((nodeId) => ({ nodeId, sourceId: nodeId })),
    );
  await deleted(nodeIds.slice(1));
  await expect(table.remove('d')).rejects.toMatchObject({ reason: 'SHARD_IN_USE' });
  await deleted(nodeIds);
  await table.remove('d');
  expect((await table.list()).map(({ name }) => name)).not.toContain('d');
  expect(await placesOf(nodeIds)).toEqual(new Map([[DEFAULT_SHARD, 4]]));
  expect((await table.workspaces(100)).some((workspace) => workspace.workspaceId === workspaceId)).toBe(false);
});
