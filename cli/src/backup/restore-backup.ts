import { existsSync } from 'node:fs';
import { STREAM_NAMES, StreamRestore } from '@catchment/bus';
import { countOf } from '@catchment/number-format';
import { migrate, migrationNames } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import type { Decrypter } from 'age-encryption';
import pg from 'pg';
import { furtherInfluxdbs } from '../shards/further-influxdbs.ts';
import { migrationsFolder } from '../start/schemas.ts';
import type { Backends } from './backends.ts';
import { messagesOf } from './copy-messages.ts';
import { putRecords } from './copy-records.ts';
import { quoted } from './dump-tables.ts';
import { HistoricProcess } from './historic-process.ts';
import { takeInstallation } from './installation-lock.ts';
import { loadSchema } from './load-tables.ts';
import { type BlobRef, blobsOf, type Manifest, type SchemaCopy, totalsOf } from './manifest.ts';
import type { Repository } from './repository.ts';

export type RestoreOptions = {
  readonly backends: Backends;
  readonly repository: Repository;
  readonly manifest: Manifest;
  readonly decrypter: Decrypter | undefined;
  readonly say: (line: string) => void;
};

const SAY_FILES = 10_000;
const SAY_RECORDS = 5_000_000;
const SHOWN_PROBLEMS = 10;
const log = createLogger('restore', { level: 'warn' });

/**
 * Reads all of a backup without keeping anything.
 * @param key absent = files are compared with what was written, and not decrypted
 * @throws Error that names damaged files
 */
export async function verifyBackup(
  { repository, manifest, say }: Pick<RestoreOptions, 'repository' | 'manifest' | 'say'>,
  key: { readonly decrypter: Decrypter | undefined } | undefined,
): Promise<void> {
  const blobs = new Map([...blobsOf(manifest)].map((blob) => [blob.digest, blob]));
  const problems: string[] = [];
  let checked = 0;
  for (const blob of blobs.values()) {
    const problem = await repository.check(manifest, blob, key);
    if (problem !== undefined) problems.push(problem);
    checked += 1;
    if (checked % SAY_FILES === 0) say(`${checked} of ${blobs.size} files`);
  }
  if (problems.length === 0) return;
  const more = problems.length > SHOWN_PROBLEMS ? [`… and ${problems.length - SHOWN_PROBLEMS} more`] : [];
  throw new Error(
    [`Backup ${manifest.name} cannot be used:`, ...problems.slice(0, SHOWN_PROBLEMS), ...more].join('\n  '),
  );
}

/**
 * Reads and decrypts everything, before anything is touched.
 * @throws Error for a backup that is damaged, has another key, or is of a newer version
 */
export async function readWhole(options: Omit<RestoreOptions, 'backends'>): Promise<void> {
  const { manifest, decrypter, say } = options;
  await codeFor(manifest);
  say(`Reading backup ${manifest.name}`);
  await verifyBackup(options, { decrypter });
}

/**
 * Reads and decrypts a small file, which shows another key at once.
 * @throws Error as `verifyBackup`
 */
export async function refuseOtherKey({ repository, manifest, decrypter }: Omit<RestoreOptions, 'backends'>) {
  let smallest: BlobRef | undefined;
  for (const blob of blobsOf(manifest)) if (!smallest || blob.storedBytes < smallest.storedBytes) smallest = blob;
  const problem = smallest && (await repository.check(manifest, smallest, { decrypter }));
  if (problem !== undefined) throw new Error(`Backup ${manifest.name} cannot be used:\n  ${problem}`);
}

/** @throws Error where the settings of an installation do not fit a backup */
export function refuseOtherSettings(backends: Backends, { partitions, shards }: Manifest): void {
  if (backends.partitions !== undefined && backends.partitions !== partitions)
    throw new Error(`INGEST_PARTITIONS is ${backends.partitions}, and the backup has ${partitions}: set it to that`);
  const named = furtherInfluxdbs(backends.influxShards).map(({ name }) => name);
  const missing = shards.filter((shard) => !named.includes(shard));
  if (missing.length > 0)
    throw new Error(
      `INFLUX_SHARDS lacks ${missing.join(', ')}: the backup has series or workspaces there. Name empty InfluxDBs for them.`,
    );
}

/**
 * Fills an empty installation whose services do not run, from a backup that was read whole. Accounts come last, so what was broken off has
 * none.
 * @throws Error that says what is there already, with nothing changed
 */
export async function restoreBackup(
  options: RestoreOptions & {
    /** Is called when the installation was found empty, before anything is changed. */
    readonly beginning?: () => Promise<void>;
  },
): Promise<void> {
  const { backends, repository, manifest, decrypter, say } = options;
  const folders = await codeFor(manifest);
  await using open = new AsyncDisposableStack();
  const { client, streams } = await openServers(options, open);
  await takeInstallation(client, 'alone');
  await refuseUsed(client, streams, backends);
  await options.beginning?.();

  const read = (blob: BlobRef) => repository.read(manifest, blob, decrypter);
  const schemaIn = async (schema: SchemaCopy) => {
    const migrating = { log, url: backends.databaseUrl, schema: schema.name, folder: folders.get(schema.name) ?? '' };
    // The schema has no accounts: it belongs to services that were started once.
    await client.query(`DROP SCHEMA IF EXISTS ${quoted(schema.name)} CASCADE`);
    // The schema is first as the backup's version had it, then goes on to this version.
    if (schema.migrations.length > 0) await migrate({ ...migrating, count: schema.migrations.length });
    await loadSchema(client, schema, read);
    await migrate(migrating);
    say(`${schema.name}: ${schema.tables.reduce((sum, { rows }) => sum + rows, 0)} rows`);
  };
  const isLast = ({ name }: SchemaCopy) => name === 'nodes';
  for (const schema of manifest.schemas.filter((schema) => !isLast(schema))) await schemaIn(schema);

  let [records, next] = [0, SAY_RECORDS];
  await putRecords(backends, manifest, read, (count) => {
    records += count;
    if (records < next) return;
    next += SAY_RECORDS;
    say(`${records} records`);
  });
  say(`${records} records`);
  await streams.begin();
  for (const { name, blob } of manifest.objects) await streams.putObject(name, await whole(read(blob)));
  say(`${countOf(manifest.objects.length, 'object')} of files`);
  for (const stream of STREAM_NAMES) {
    const copied = manifest.streams[stream] ?? { messages: 0, blobs: [] };
    const positions = { ends: manifest.ends, floors: manifest.floors } as Parameters<StreamRestore['fill']>[1];
    const count = await streams.fill(stream, positions, messagesOf(copied, read));
    if (count > 0)
      say(`${stream}: ${countOf(count, 'message that was on its way', 'messages that were on their way')}`);
  }
  for (const schema of manifest.schemas.filter(isLast)) await schemaIn(schema);
  const { accounts } = totalsOf(manifest);
  say(
    `${countOf(accounts, 'account is as it was', 'accounts are as they were')} on ${new Date(manifest.cutMs).toISOString()}. Start the services.`,
  );
}

/** Folders of migrations by schema. @throws Error for a backup that this version does not know */
export async function codeFor({ schemas, version }: Manifest): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for (const { name, migrations } of schemas) {
    const folder = migrationsFolder(name);
    const known = existsSync(folder) ? await migrationNames(folder) : [];
    const unknown = migrations.find((migration) => !known.includes(migration));
    if (unknown !== undefined)
      throw new Error(
        `The backup is of a newer version (${version}): ${name} has ${unknown}. Use that version or a later one.`,
      );
    if (known.slice(0, migrations.length).some((migration) => !migrations.includes(migration)))
      throw new Error(
        `The backup is of another version (${version}): migrations of ${name} come in another order here`,
      );
    folders.set(name, folder);
  }
  return folders;
}

type Target = Pick<RestoreOptions, 'backends' | 'manifest'>;

/** @throws Error that says what is there, and what to do */
export async function refuseNotEmpty(target: Target): Promise<void> {
  await using open = new AsyncDisposableStack();
  const { client, streams } = await openServers(target, open);
  await refuseUsed(client, streams, target.backends);
}

async function openServers({ backends, manifest: { partitions } }: Target, open: AsyncDisposableStack) {
  const streams = await StreamRestore.open({
    url: backends.natsUrl,
    name: 'restore',
    prefix: backends.natsPrefix,
    partitions,
    replicas: backends.streamReplicas,
    log,
  });
  open.defer(() => streams.close());
  const client = new pg.Client({
    connectionString: backends.databaseUrl,
    application_name: 'restore',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  open.defer(() => client.end());
  return { client, streams };
}

async function refuseUsed(client: pg.Client, streams: StreamRestore, backends: Backends): Promise<void> {
  const running = await streams.running();
  if (running.length > 0)
    throw new Error(`Services are running (${running.slice(0, 3).join(', ')} …): stop all of them, then restore`);
  const { rows: tables } = await client.query(
    `SELECT FROM pg_tables WHERE schemaname = 'nodes' AND tablename = 'owners'`,
  );
  if (tables.length > 0) {
    const { rows } = await client.query<{ n: string }>('SELECT count(*) AS n FROM nodes.owners');
    if (Number(rows[0]?.n) > 0)
      throw new Error(
        `The installation is not empty: PostgreSQL has ${countOf(Number(rows[0]?.n), 'account')}. Give it an empty database.`,
      );
  }
  const empty = new HistoricProcess(backends, 'empty');
  if ((await empty.ended([0, 3])) === 3)
    throw new Error(
      'The installation is not empty: InfluxDB has records. Give it another INFLUX_DATABASE, or drop that one.',
    );
  if ((await streams.objectCount()) > 0)
    throw new Error(
      'The installation is not empty: NATS has files. Give it a broker without data, or another NATS_PREFIX.',
    );
}

export async function whole(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}
