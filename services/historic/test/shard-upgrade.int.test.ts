// Moves that a replica of the version before has begun, which drew boundaries from what writers had claimed (migration 0019).
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { saveNodes } from '@catchment/node-replica';
import { Database, migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { testDatabase, until } from '@catchment/testkit';
import { pgShardMoves } from '../src/shards/store/pg-shard-moves.ts';
import { MoveWorker } from '../src/shards/usecases/move-worker.ts';

const FOLDER = path.resolve(import.meta.dirname, '../migrations');
const log = createLogger('test', { level: 'silent' });
const migrated = (url: string, count?: number) =>
  migrate({
    url,
    schema: 'historic',
    folder: FOLDER,
    log,
    ...(count !== undefined && { count }),
  });

/** Statements of the version before. */
const TAKE_STEP = `SELECT move_id FROM shard_moves m WHERE m.state = 'moving' AND m.next_try <= now()`;
const FAILED = `UPDATE shard_moves SET failure = 'x', next_try = now() + interval '2 seconds'`;
const ASK = 'INSERT INTO shard_moves (workspace_id, owner_id, to_shard) VALUES ($1, $2, $3) RETURNING move_id';

test('moves in every state go on after an upgrade, and replicas of the version before take no step of any', async () => {
  await using pg = await testDatabase();
  await migrated(pg.url, (await readdir(FOLDER)).sort().indexOf('0019-move-at-a-mark.sql'));
  const database = new Database({ url: pg.url, schema: 'historic', applicationName: 'test' });
  await database.query(`INSERT INTO shards (name, is_active) VALUES ('b', true)`);
  await database.query(`INSERT INTO shard_claims (partition, shard, claimed, applied)
    SELECT p, s, 10, 9 FROM generate_series(0, 1) p, unnest(ARRAY['default', 'b']) s`);
  const begun: { nodeId: string; moveId: number }[] = [];
  for (const state of [undefined, 'preparing', 'copying', 'cutting'] as const) {
    const [ownerId, workspaceId] = [newObjectId(), newObjectId()];
    const node = { ownerId, workspaceId, nodeId: workspaceId, sourceId: workspaceId, revision: 1 };
    await saveNodes(database, [NodeConfig.fromPartial(node)]);
    const { rows } = await database.query<{ move_id: number }>(ASK, [workspaceId, ownerId, 'b']);
    const moveId = rows[0]?.move_id ?? 0;
    begun.push({ nodeId: workspaceId, moveId });
    if (!state) continue;
    await database.query(
      `WITH made AS (
         INSERT INTO shard_portions (move_id, from_shard, to_shard, state, boundaries, cut_until)
         VALUES ($1, 'default', 'b', $2, ARRAY[10, 10], CASE WHEN $2 = 'cutting' THEN now() + interval '10 seconds' END) RETURNING portion_id),
       place AS (INSERT INTO series_shards (node_id, shard) VALUES ($3, 'default'))
       INSERT INTO portion_series (portion_id, node_id, is_copied) SELECT portion_id, $3, $2 <> 'preparing' FROM made`,
      [moveId, state, workspaceId],
    );
  }
  expect((await database.query(TAKE_STEP)).rows).toHaveLength(4);
  await migrated(pg.url);
  expect((await database.query(TAKE_STEP)).rows).toEqual([]);
  await expect(database.query(FAILED)).rejects.toThrow();

  let last = 10;
  const worker = new MoveWorker({
    moves: pgShardMoves(database),
    graceSeconds: 600,
    log,
    isSpread: () => true,
    copy: async () => ({ records: 0, rest: new Map() }),
    remove: async () => {},
    mark: async () => {
      last += 1;
      await database.query('UPDATE shard_claims SET applied = $1', [last]);
      return [last, last];
    },
  });
  const { rows: asked } = await database.query<{ move_id: number }>(ASK, [newObjectId(), newObjectId(), 'b']);
  await until(async () => (await pgShardMoves(database).list()).every(({ state }) => state === 'done'), {
    what: 'all moves have ended',
  });
  await worker.stop();
  expect((await pgShardMoves(database).list()).map(({ moveId }) => moveId)).toContain(asked[0]?.move_id);
  const { rows } = await database.query<{ node_id: string; shard: string }>('SELECT node_id, shard FROM series_shards');
  expect(new Map(rows.map(({ node_id, shard }) => [node_id, shard]))).toEqual(
    new Map(begun.map(({ nodeId }) => [nodeId, 'b'])),
  );
  await database.close();
});
