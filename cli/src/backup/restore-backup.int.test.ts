// Restores of backups of other versions, and ones that were broken off, run against real servers.
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { migrationNames } from '@catchment/pg';
import {
  removeDataFolder,
  type TestDatabase,
  type TestInflux,
  type TestNats,
  temporaryDataFolder,
  testDatabase,
  testInflux,
  testNats,
} from '@catchment/testkit';
import { backendsOf, migrateAll, SCHEMAS, writeBackup } from '../../test/backup-fixture.ts';
import { migrationsFolder } from '../start/schemas.ts';
import type { Backends } from './backends.ts';
import type { BlobRef, Manifest } from './manifest.ts';
import { Repository } from './repository.ts';
import { readWhole, refuseNotEmpty, restoreBackup } from './restore-backup.ts';

const OWNER = '0123456789abcdef01234567';
const SERIES = 'a123456789abcdef01234567';
/** The earlier version does not know this many migrations of each schema. */
const LATER = 2;
const say = () => {};

let folder: string;
let manifest: Manifest;
const opened: (() => Promise<unknown>)[] = [];

/** A backup of an earlier version has an account, a series and a file. */
beforeAll(async () => {
  folder = await temporaryDataFolder();
  await using database = await testDatabase();
  await migrateAll(database, LATER);
  await database.query(
    `WITH person AS (INSERT INTO nodes.users (user_id, address, created_at) VALUES ('${OWNER}', 'a@example.org', '2024-01-01'))
     INSERT INTO nodes.owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id)
     VALUES ('${OWNER}', 'Kept', 'STANDARD', 'kept', '[]', '2024-01-01', '${OWNER}')`,
  );
  const series = { ownerId: OWNER, nodeId: SERIES };
  manifest = await writeBackup(folder, database, series, { objects: { 'file/0': 'of a file' } });
});
afterAll(() => removeDataFolder(folder));
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

type Empty = { backends: Backends; database: TestDatabase; influx: TestInflux; nats: TestNats };

/** Empty servers. */
async function emptyServers(): Promise<Empty> {
  const [database, nats, influx] = [await testDatabase(), await testNats(), await testInflux()];
  opened.push(database.drop, nats.drop, influx.drop);
  const backends = backendsOf({ database, influx, nats });
  return { backends, database, influx, nats };
}

const options = () => ({ repository: new Repository(folder), manifest, decrypter: undefined, say });
const restore = (backends: Backends) => restoreBackup({ ...options(), backends });
const accounts = async ({ database }: Empty) =>
  (await database.query<{ name: string }>('SELECT account_name AS name FROM nodes.owners')).map(({ name }) => name);
const recordCount = async ({ influx }: Empty) =>
  (await influx.query('SELECT * FROM /.*/')).results[0]?.series?.[0]?.values?.length ?? 0;

/** A file of the backup is not there while `work` runs, as when the volume goes. */
async function without<T>({ digest }: BlobRef, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, 'blobs', digest.slice(0, 2), `${digest}.zst`);
  await rename(file, `${file}.away`);
  try {
    return await work();
  } finally {
    await rename(`${file}.away`, file);
  }
}
const tableOf = (schema: string, name: string): BlobRef => {
  const table = manifest.schemas.find((found) => found.name === schema)?.tables.find((found) => found.name === name);
  if (!table) throw new Error(`no table ${schema}.${name}`);
  return table.blob;
};

test('a backup of an earlier version is restored and brought up to date', async () => {
  const servers = await emptyServers();
  await refuseNotEmpty({ manifest, backends: servers.backends });
  await readWhole(options());
  let begun = 0;
  const beginning = async () => {
    // The restore has changed nothing before.
    expect(await servers.database.query('SELECT FROM pg_namespace WHERE nspname = ANY($1)', [SCHEMAS])).toEqual([]);
    begun += 1;
  };
  await restoreBackup({ ...options(), backends: servers.backends, beginning });
  expect(await accounts(servers)).toEqual(['Kept']);
  expect(await recordCount(servers)).toBe(3);
  for (const schema of SCHEMAS) {
    const rows = await servers.database.query<{ name: string }>(`SELECT name FROM ${schema}.migrations ORDER BY id`);
    expect(rows.map(({ name }) => name)).toEqual(await migrationNames(migrationsFolder(schema)));
  }
  const refusal = 'The installation is not empty: PostgreSQL has 1 account';
  await expect(refuseNotEmpty({ manifest, backends: servers.backends })).rejects.toThrow(refusal);
  await expect(restoreBackup({ ...options(), backends: servers.backends, beginning })).rejects.toThrow(refusal);
  expect(begun).toBe(1);
});

test('a backup of a newer version is refused before anything is read or touched', async () => {
  const servers = await emptyServers();
  const newer = {
    ...manifest,
    version: '9.0.0',
    schemas: manifest.schemas.map((schema) =>
      schema.name === 'events' ? { ...schema, migrations: [...schema.migrations, '9999-later'] } : schema,
    ),
  };
  const refusal =
    /The backup is of a newer version \(9\.0\.0\): events has 9999-later\. Use that version or a later one/;
  await expect(readWhole({ ...options(), manifest: newer })).rejects.toThrow(refusal);
  await expect(restoreBackup({ ...options(), manifest: newer, backends: servers.backends })).rejects.toThrow(refusal);
  expect(await servers.database.query(`SELECT FROM pg_namespace WHERE nspname = ANY($1)`, [SCHEMAS])).toEqual([]);
});

describe('a restore that was broken off', () => {
  test('while tables are filled: has no accounts, and is run again', async () => {
    const servers = await emptyServers();
    await without(tableOf('historic', 'write_observations'), () =>
      expect(restore(servers.backends)).rejects.toThrow('ENOENT'),
    );
    await restore(servers.backends);
    expect(await accounts(servers)).toEqual(['Kept']);
    expect(await recordCount(servers)).toBe(3);
  });

  test('behind the records: is refused until InfluxDB is empty; another INFLUX_DATABASE does', async () => {
    const servers = await emptyServers();
    const [object] = manifest.objects;
    if (!object) throw new Error('no object');
    await without(object.blob, () => expect(restore(servers.backends)).rejects.toThrow('ENOENT'));
    await expect(restore(servers.backends)).rejects.toThrow(
      'The installation is not empty: InfluxDB has records. Give it another INFLUX_DATABASE, or drop that one.',
    );
    const influxDatabase = `${servers.influx.database}_again`;
    opened.unshift(() => servers.influx.query(`DROP DATABASE ${influxDatabase}`));
    await restore({ ...servers.backends, influxDatabase });
    expect(await accounts(servers)).toEqual(['Kept']);
  });

  test('behind the files: has no accounts, and is refused until NATS is empty too; new servers do', async () => {
    const servers = await emptyServers();
    await without(tableOf('nodes', 'owners'), () => expect(restore(servers.backends)).rejects.toThrow('ENOENT'));
    const next = await emptyServers();
    const { influxDatabase } = next.backends;
    await expect(restore({ ...servers.backends, influxDatabase })).rejects.toThrow(
      'The installation is not empty: NATS has files. Give it a broker without data, or another NATS_PREFIX.',
    );
    await restore({ ...servers.backends, influxDatabase, natsPrefix: next.nats.prefix });
    expect(await accounts(servers)).toEqual(['Kept']);
  });
});
