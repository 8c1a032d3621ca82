// Tests of backups and restores share this.
import { Readable } from 'node:stream';
import { STREAM_NAMES } from '@catchment/bus';
import { CopyFrame } from '@catchment/contracts/copies';
import { framed } from '@catchment/contracts/frames';
import { ValueType } from '@catchment/contracts/nodes';
import { migrate, migrationNames } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import type { TestDatabase, TestInflux, TestNats } from '@catchment/testkit';
import pg from 'pg';
import type { Backends } from '../src/backup/backends.ts';
import { dumpSchema } from '../src/backup/dump-tables.ts';
import { FORMAT, type Manifest } from '../src/backup/manifest.ts';
import { Repository } from '../src/backup/repository.ts';
import { migrationsFolder, schemasOfServices } from '../src/start/schemas.ts';

export const silent = createLogger('test', { level: 'silent' });

/** Schemas of an installation. */
export const SCHEMAS = schemasOfServices();

/**
 * Makes the tables of all services as an earlier version did.
 * @param unknown migrations of each schema that it does not know yet
 */
export async function migrateAll({ url }: Pick<TestDatabase, 'url'>, unknown: number): Promise<void> {
  for (const schema of SCHEMAS) {
    const folder = migrationsFolder(schema);
    const count = Math.max(1, (await migrationNames(folder)).length - unknown);
    await migrate({ url, schema, folder, log: silent, count });
  }
}

export const backendsOf = (servers: {
  readonly database: TestDatabase;
  readonly influx: TestInflux;
  readonly nats: TestNats;
}): Backends => ({
  databaseUrl: servers.database.url,
  natsUrl: servers.nats.url,
  natsPrefix: servers.nats.prefix,
  influxUrl: servers.influx.url,
  influxDatabase: servers.influx.database,
  influxShards: '',
  streamReplicas: 1,
  partitions: undefined,
});

const doubles = (...values: number[]) => Buffer.from(Float64Array.from(values).buffer);
const threeRecords = (series: { readonly ownerId: string; readonly nodeId: string }): Uint8Array => {
  const value = {
    ...series,
    valueType: ValueType.VALUE_TYPE_NUMBER,
    timestamps: doubles(1_700_000_000_000, 60_000, 60_000),
    modified: doubles(1_700_000_000_000, 0, 0),
    parts: Buffer.of(1),
    numbers: doubles(1, 2, 3),
    texts: [],
    qualities: Buffer.alloc(0),
    annotationIndexes: [],
    annotations: [],
  };
  return framed(CopyFrame.encode({ frame: { $case: 'records', value } }).finish());
};

/**
 * Writes a backup of the tables of a database, with three records of a series.
 * @param folder of the repository
 * @param rest what the backup has besides
 */
export async function writeBackup(
  folder: string,
  database: TestDatabase,
  series: { readonly ownerId: string; readonly nodeId: string },
  rest: { readonly shards?: readonly string[]; readonly objects?: Readonly<Record<string, string>> } = {},
): Promise<Manifest> {
  await using repository = new Repository(folder);
  await repository.begin();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const schemas = [];
  for (const schema of SCHEMAS) schemas.push(await dumpSchema(client, repository, schema));
  await client.end();
  const keep = (content: Uint8Array) => repository.write(Readable.from([content]));
  const records = await keep(threeRecords(series));
  const objects = [];
  for (const [name, content] of Object.entries(rest.objects ?? {}))
    objects.push({ name, blob: await keep(Buffer.from(content)) });
  const ofAll = <T>(value: T) => Object.fromEntries(STREAM_NAMES.map((name) => [name, value]));
  const manifest: Manifest = {
    format: FORMAT,
    name: '2026-01-01',
    version: '0.0.9',
    startedMs: 0,
    cutMs: 0,
    finishedMs: 0,
    recipients: [],
    partitions: 1,
    shards: rest.shards ?? [],
    ends: ofAll(7),
    floors: ofAll({}),
    replay: [],
    streams: {},
    goneObjects: [],
    schemas,
    objects,
    records: [{ ownerId: series.ownerId, series: 1, records: 3, blobs: [records] }],
  };
  await repository.finish(manifest);
  return manifest;
}
