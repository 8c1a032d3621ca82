import { markDeleted } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import type { TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { pgWriterState } from '../src/apply/store/pg-writer-state.ts';
import { purgeTombstones } from '../src/following/store/pg-tombstones.ts';

const OWNER = 'a'.repeat(24);
let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await migratedDatabase('historic');
  database = new Database({ url: own.url, schema: 'historic', applicationName: 'test', rehearsesTransactions: true });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

const known = async () => {
  const of = async (table: string, id = 'node_id') =>
    (await database.query<{ node_id: string }>(`SELECT ${id} AS node_id FROM ${table} ORDER BY 1`)).rows.map(
      ({ node_id }) => node_id,
    );
  const placed = { series: await of('series_shards'), workspaces: await of('workspace_shards', 'workspace_id') };
  return { nodes: await of('node_replica'), deleted: await of('deleted_series'), ...placed };
};
/** Some nodes with a place are workspaces. */
const placed = (...series: string[]) => ({
  series,
  workspaces: series.filter((nodeId) => ['alive', 'folder'].includes(nodeId)),
});
const age = (table: string, nodeId: string, days: number) =>
  database.query(`UPDATE ${table} SET deleted_time = now() - make_interval(days => $2) WHERE node_id = $1`, [
    nodeId,
    days,
  ]);

test('the marks of deleted nodes go after 30 days, unless the log still has messages; what lives stays', async () => {
  const nodes = ['old', 'fresh'].map((nodeId) => ({ nodeId, sourceId: nodeId }));
  await markDeleted(database, OWNER, nodes);
  await pgWriterState(database).rememberDeleted(['old', 'fresh']);
  // The node has no records.
  await markDeleted(database, OWNER, [{ nodeId: 'folder', sourceId: 'folder' }]);
  await age('node_replica', 'folder', 31);
  await database.query(
    `WITH series AS (INSERT INTO series_shards SELECT unnest(ARRAY['old', 'fresh', 'alive', 'folder']), 'b')
     INSERT INTO workspace_shards (workspace_id, shard) SELECT unnest(ARRAY['folder', 'alive']), 'b'`,
  );
  await database.query(
    `INSERT INTO node_replica (node_id, owner_id, source_id, custom_id, revision, config) VALUES ('alive', $1, 'alive', '', 1, '')`,
    [OWNER],
  );
  for (const table of ['node_replica', 'deleted_series']) {
    await age(table, 'old', 31);
    await age(table, 'fresh', 29);
  }
  await purgeTombstones(database, async () => 1);
  expect(await known()).toEqual({
    nodes: ['alive', 'folder', 'fresh', 'old'],
    deleted: ['fresh', 'old'],
    ...placed('alive', 'folder', 'fresh', 'old'),
  });
  await purgeTombstones(database, async () => 0);
  expect(await known()).toEqual({ nodes: ['alive', 'fresh'], deleted: ['fresh'], ...placed('alive', 'fresh') });
});

test('many rows go in statements of bounded size', async () => {
  await database.query(
    `INSERT INTO deleted_series (node_id, deleted_time) SELECT 'n' || n, now() - interval '40 days' FROM generate_series(1, 12000) n`,
  );
  await purgeTombstones(database, async () => 0);
  expect((await known()).deleted).toEqual(['fresh']);
});
