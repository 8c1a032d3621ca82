// An account of a backup is restored into an installation with several InfluxDBs, against real servers.
import { StreamRestore } from '@catchment/bus';
import { NodeConfig } from '@catchment/contracts/nodes';
import { removeDataFolder, temporaryDataFolder, testInflux, testNats } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { backendsOf, SCHEMAS, silent, writeBackup } from '../../test/backup-fixture.ts';
import type { Manifest } from './manifest.ts';
import { Repository } from './repository.ts';
import { restoreAccount } from './restore-account.ts';

const [OWNER, OTHER] = ['0123456789abcdef01234567', '1123456789abcdef01234567'];
const [WORKSPACE, SERIES, FOREIGN] = [
  'a0123456789abcdef0123456',
  'a123456789abcdef01234567',
  'a223456789abcdef01234567',
];

let folder: string;
beforeAll(async () => {
  folder = await temporaryDataFolder();
});
afterAll(() => removeDataFolder(folder));

/** Backs up an installation that has the account at `b`, and another account. */
async function backup(): Promise<Manifest> {
  await using database = await migratedDatabase(...SCHEMAS);
  for (const [ownerId, slug] of [
    [OWNER, 'kept'],
    [OTHER, 'other'],
  ])
    await database.query(
      `INSERT INTO nodes.users (user_id, address, created_at) VALUES ('${ownerId}', '${slug}@example.org', '2024-01-01');
       INSERT INTO nodes.owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id)
       VALUES ('${ownerId}', '${slug}', 'STANDARD', '${slug}', '[]', '2024-01-01', '${ownerId}')`,
    );
  for (const [nodeId, ownerId] of [
    [WORKSPACE, OWNER],
    [SERIES, OWNER],
    [FOREIGN, OTHER],
  ] as const) {
    const nodeClass = nodeId === SERIES ? 'point.NumberPoint' : 'Workspace';
    const workspaceId = nodeId === SERIES ? WORKSPACE : nodeId;
    const config = NodeConfig.encode(
      NodeConfig.fromPartial({ ownerId, workspaceId, nodeId, sourceId: nodeId, class: nodeClass, revision: 1 }),
    ).finish();
    await database.query(
      `SET search_path TO nodes;
       INSERT INTO nodes.nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, created_ms, revision)
       VALUES ('${nodeId}', '${ownerId}', '${workspaceId}', ${nodeId === SERIES ? `'${WORKSPACE}'` : 'NULL'}, '${nodeClass}',
         'n', 'n', 0, 1);
       INSERT INTO historic.node_replica (node_id, owner_id, source_id, custom_id, revision, config)
       VALUES ('${nodeId}', '${ownerId}', '${nodeId}', '', 1, '\\x${Buffer.from(config).toString('hex')}');
       INSERT INTO historic.series_shards (node_id, shard) VALUES ('${nodeId}', 'b');
       INSERT INTO historic.workspace_shards (workspace_id, shard) VALUES ('${workspaceId}', 'b') ON CONFLICT DO NOTHING`,
    );
  }
  return await writeBackup(folder, database, { ownerId: OWNER, nodeId: SERIES }, { shards: ['b'] });
}

test('an account is read and written where its records are put, whatever InfluxDBs there are', async () => {
  const manifest = await backup();
  await using database = await migratedDatabase(...SCHEMAS);
  await using nats = await testNats();
  await using influx = await testInflux();
  await using other = await testInflux();
  await database.query(`INSERT INTO historic.shards (name, is_active) VALUES ('c', true)`);
  const streams = await StreamRestore.open({
    url: nats.url,
    name: 'restore',
    prefix: nats.prefix,
    partitions: 1,
    replicas: 1,
    log: silent,
  });
  await streams.begin();
  await streams.close();
  const backends = { ...backendsOf({ database, nats, influx }), influxShards: `c=${other.url}` };
  const options = { repository: new Repository(folder), manifest, decrypter: undefined, say: () => {} };
  await restoreAccount({ ...options, backends, account: 'kept' });
  const { results } = await influx.query(`SELECT count("v") FROM "h" WHERE "s" = '${SERIES}'`);
  expect(results[0]?.series?.[0]?.values?.[0]?.[1]).toBe(3);
  expect(await database.query('SELECT node_id, shard FROM historic.series_shards ORDER BY 1')).toEqual([
    { node_id: WORKSPACE, shard: 'default' },
    { node_id: SERIES, shard: 'default' },
  ]);
  expect(await database.query('SELECT workspace_id, shard FROM historic.workspace_shards')).toEqual([
    { workspace_id: WORKSPACE, shard: 'default' },
  ]);
});
