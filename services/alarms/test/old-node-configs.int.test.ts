import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { markDeleted, readNodes, saveNodes } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import type { TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';

// A replica of the version before runs beside this one for a while, with these statements.
const SAVE = `INSERT INTO node_configs AS n (node_id, owner_id, source_id, revision, config) VALUES ($1, $2, $1, $3, $4)
  ON CONFLICT (node_id) DO UPDATE
    SET owner_id = excluded.owner_id, source_id = excluded.source_id, revision = excluded.revision, config = excluded.config
    WHERE n.revision < excluded.revision AND n.deleted_at IS NULL RETURNING node_id`;
const DELETE = `INSERT INTO node_configs AS n (node_id, owner_id, source_id, revision, config, deleted_at)
  VALUES ($1, $2, $1, 0, '', now()) ON CONFLICT (node_id) DO UPDATE SET config = '', deleted_at = coalesce(n.deleted_at, now())`;
const LOCK = `SELECT n.config, s.config AS source_config
  FROM node_configs n LEFT JOIN node_configs s ON s.node_id = n.source_id AND s.deleted_at IS NULL
  WHERE n.node_id = ANY($1::text[]) AND n.deleted_at IS NULL ORDER BY n.node_id FOR SHARE OF n`;

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await migratedDatabase('alarms');
  database = new Database({ url: own.url, schema: 'alarms', applicationName: 'test', rehearsesTransactions: true });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

const config = (revision: number, nodeId = newObjectId()) =>
  NodeConfig.fromPartial({ nodeId, ownerId: 'a'.repeat(24), sourceId: nodeId, revision });
const bytes = (node: NodeConfig) => Buffer.from(NodeConfig.encode(node).finish());
const saveBefore = (node: NodeConfig) => database.query(SAVE, [node.nodeId, node.ownerId, node.revision, bytes(node)]);

test('both versions see what the other one has stored, the newer revision stays', async () => {
  const node = config(2);
  expect((await saveBefore(node)).rowCount).toBe(1);
  expect((await readNodes(database, [node.nodeId])).get(node.nodeId)).toEqual(node);
  const newer = config(4, node.nodeId);
  await saveNodes(database, [newer]);
  expect((await saveBefore(config(3, node.nodeId))).rowCount).toBe(0);
  const { rows } = await database.query<{ config: Buffer }>(LOCK, [[node.nodeId]]);
  expect(rows).toEqual([{ config: bytes(newer), source_config: bytes(newer) }]);
});

test('what one version has deleted, the other one does not revive', async () => {
  const [before, now] = [config(1), config(1)];
  await saveNodes(database, [before, now]);
  await database.query(DELETE, [before.nodeId, before.ownerId]);
  await markDeleted(database, now.ownerId, [now]);
  expect(await saveNodes(database, [config(2, before.nodeId)])).toEqual(new Set());
  expect((await saveBefore(config(2, now.nodeId))).rowCount).toBe(0);
  const ids = [before.nodeId, now.nodeId];
  expect([...(await readNodes(database, ids)).values()]).toEqual(['deleted', 'deleted']);
  expect((await database.query(LOCK, [ids])).rows).toEqual([]);
});
