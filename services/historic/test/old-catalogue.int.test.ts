import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { markDeleted, readNodes, saveNodes } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import type { TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';

// A replica of the version before runs beside this one for a while, with these statements.
const SAVE = `INSERT INTO catalogue (node_id, owner_id, source_id, custom_id, revision, config) VALUES ($1, $2, $1, $3, $4, $5)
  ON CONFLICT (node_id) DO UPDATE SET owner_id = EXCLUDED.owner_id, source_id = EXCLUDED.source_id,
    custom_id = EXCLUDED.custom_id, revision = EXCLUDED.revision, config = EXCLUDED.config
  WHERE catalogue.revision < EXCLUDED.revision AND NOT catalogue.is_deleted`;
const DELETE = `INSERT INTO catalogue (node_id, owner_id, source_id, custom_id, revision, is_deleted, deleted_time, config)
  VALUES ($1, $2, $1, '', 0, true, now(), '')
  ON CONFLICT (node_id) DO UPDATE SET is_deleted = true, deleted_time = now(), custom_id = '', config = ''`;
const READ = 'SELECT revision, is_deleted FROM catalogue WHERE node_id = $1';

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

const config = (revision: number, nodeId = newObjectId()) =>
  NodeConfig.fromPartial({ nodeId, ownerId: 'a'.repeat(24), sourceId: nodeId, customId: 'c', revision });
const saveBefore = (node: NodeConfig) =>
  database.query(SAVE, [
    node.nodeId,
    node.ownerId,
    node.customId,
    node.revision,
    Buffer.from(NodeConfig.encode(node).finish()),
  ]);

test('both versions see what the other one has stored, the newer revision stays', async () => {
  const node = config(2);
  await saveBefore(node);
  expect((await readNodes(database, [node.nodeId])).get(node.nodeId)).toEqual(node);
  await saveNodes(database, [config(4, node.nodeId)]);
  await saveBefore(config(3, node.nodeId));
  expect((await database.query(READ, [node.nodeId])).rows).toEqual([{ revision: 4, is_deleted: false }]);
});

test('what one version has deleted, the other one does not revive', async () => {
  const [before, now] = [config(1), config(1)];
  await saveNodes(database, [before, now]);
  await database.query(DELETE, [before.nodeId, before.ownerId]);
  await markDeleted(database, now.ownerId, [now]);
  await saveNodes(database, [config(2, before.nodeId)]);
  await saveBefore(config(2, now.nodeId));
  expect([...(await readNodes(database, [before.nodeId, now.nodeId])).values()]).toEqual(['deleted', 'deleted']);
  for (const { nodeId } of [before, now])
    expect((await database.query(READ, [nodeId])).rows).toEqual([{ revision: 1, is_deleted: true }]);
});
