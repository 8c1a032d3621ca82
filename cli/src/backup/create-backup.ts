import { type HeldStream, StreamCopy } from '@catchment/bus';
import { createLogger } from '@catchment/telemetry';
import pg from 'pg';
import { SERVICES } from '../start/service-table.ts';
import type { Backends } from './backends.ts';
import { holdDecisions, writerCaughtUp, writerPositions } from './backup-holds.ts';
import { takeConsistentSnapshot } from './consistent-snapshot.ts';
import { keepMessages } from './copy-messages.ts';
import { keepObjects } from './copy-objects.ts';
import { keepRecords } from './copy-records.ts';
import { dumpSchema, migrationsOf } from './dump-tables.ts';
import { takeInstallation } from './installation-lock.ts';
import { type BlobRef, FORMAT, type Manifest, type SchemaCopy, type StreamCopied, totalsOf } from './manifest.ts';
import type { Repository } from './repository.ts';

type CreateOptions = {
  readonly backends: Backends;
  readonly repository: Repository;
  readonly recipients: readonly string[];
  readonly version: string;
  readonly say: (line: string) => void;
};

const KEPT_ROWS = 1_000;
/**
 * pg_dump sets the same: whatever is set for the database or the login, values are written so that they are read the
 * same, and nothing ends the snapshot.
 */
export const PLAIN_SESSION = [
  `SET DateStyle = 'ISO'`,
  `SET IntervalStyle = 'postgres'`,
  'SET extra_float_digits = 3',
  'SET statement_timeout = 0',
  'SET lock_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
].join('; ');
const SAY_RECORDS = 5_000_000;

/**
 * Makes a backup of a running installation (docs/adr/0026-backup.md): records first, with the log that goes on meanwhile, then a moment of
 * all the rest. Services notice nothing.
 * @throws Error, with nothing but unnamed files left in the repository
 */
export async function createBackup(options: CreateOptions): Promise<Manifest> {
  const { backends, repository, recipients, say } = options;
  const startedMs = Date.now();
  const name = new Date(startedMs).toISOString().replaceAll(/[:.]/g, '-');
  await using open = new AsyncDisposableStack();
  const connect = async () => {
    const client = new pg.Client({
      connectionString: backends.databaseUrl,
      application_name: 'backup',
      keepAlive: true,
    });
    // Its statements fail by themselves.
    client.on('error', () => undefined);
    await client.connect();
    open.defer(() => client.end());
    return client;
  };
  const [control, snapshot] = [await connect(), await connect()];
  await snapshot.query(PLAIN_SESSION);
  await takeInstallation(control, 'shared');
  await refuseUnfit(control);
  const earlier = await repository.begin();
  if (earlier) say(`Files that backup ${earlier.name} and earlier ones have are not written again`);

  const streams = await StreamCopy.open({
    url: backends.natsUrl,
    name: 'backup',
    prefix: backends.natsPrefix,
    log: createLogger('backup', { level: 'warn' }),
  });
  open.defer(() => streams.close());
  const stop = new AbortController();
  open.defer(() => stop.abort());
  const held = async (stream: Parameters<StreamCopy['hold']>[0], after?: number): Promise<HeldStream> => {
    const floor = await streams.hold(stream, after);
    open.defer(() => floor.release());
    return floor;
  };

  const log = await held('INGEST');
  const keepingLog = keepMessages(repository, log.messages(stop.signal));
  // The end is waited for below; a failure before ends what takes long.
  const failed = new AbortController();
  keepingLog.catch((error: unknown) => failed.abort(error));
  const partitions = await streams.partitions();
  const decisions = await holdDecisions(control, name);
  // The holds lapse by themselves while PostgreSQL is away.
  open.defer(() => decisions.release().catch(() => undefined));
  const from = await writerCaughtUp(streams, partitions, say);

  let next = SAY_RECORDS;
  const countRecords = (count: number) => {
    if (count < next) return;
    next += SAY_RECORDS;
    say(`${count} records`);
  };
  const records = await keepRecords(repository, backends, countRecords, failed.signal);
  say('Records are kept');
  const objects = new Map<string, BlobRef>();
  await keepObjects(control, streams.objects, repository, objects, earlier);
  failed.signal.throwIfAborted();

  const applied = await held('APPLIED');
  const floors = await streams.floors();
  const { ends, cutMs } = await takeConsistentSnapshot(snapshot, streams);
  // The snapshot has all that was held; what is removed from here on, it sees still.
  await decisions.confirm();
  await decisions.release();
  say(`The backup holds the state of ${new Date(cutMs).toISOString()}`);
  const readTo = async (stream: HeldStream, sequence: number): Promise<StreamCopied> => {
    stream.end(sequence);
    return keepMessages(repository, stream.messages(stop.signal));
  };
  log.end(ends.INGEST);
  const least = Math.min(...Object.values(floors.DOMAIN), ends.DOMAIN);
  const copied = {
    INGEST: await keepingLog,
    APPLIED: await readTo(applied, ends.APPLIED),
    DOMAIN: await readTo(await held('DOMAIN', least), ends.DOMAIN),
    NOTIFICATIONS: await keepMessages(repository, streams.waiting('NOTIFICATIONS', ends.NOTIFICATIONS)),
    DEADLETTER: await readTo(await held('DEADLETTER'), ends.DEADLETTER),
  };
  const schemas: SchemaCopy[] = [];
  for (const schema of SERVICES) {
    const dumped = await dumpSchema(snapshot, repository, schema);
    if (dumped.tables.length > 0) schemas.push(dumped);
  }
  const goneObjects = await keepObjects(snapshot, streams.objects, repository, objects, earlier);
  const { rows: shards } = await snapshot.query<{ shard: string }>(
    `SELECT shard FROM historic.series_shards WHERE shard <> 'default'
     UNION SELECT shard FROM historic.workspace_shards WHERE shard <> 'default' ORDER BY 1`,
  );
  await snapshot.query('COMMIT');
  say('Database, messages and files are kept');

  // A writer that is behind applies again what another one had finished: to the same end.
  const to = writerPositions(floors, partitions, 'last');
  const manifest: Manifest = {
    format: FORMAT,
    name,
    version: options.version,
    startedMs,
    cutMs,
    finishedMs: Date.now(),
    recipients,
    partitions,
    ends,
    floors,
    schemas,
    records,
    goneObjects,
    streams: copied,
    shards: shards.map(({ shard }) => shard),
    replay: from.map((position, partition) => ({ from: position, to: to[partition] ?? position })),
    objects: [...objects].map(([object, blob]) => ({ name: object, blob })),
  };
  await repository.finish(manifest);
  await control.query(
    `WITH older AS (DELETE FROM nodes.backups WHERE backup_id IN
       (SELECT backup_id FROM nodes.backups ORDER BY finished_time DESC OFFSET ${KEPT_ROWS - 1}))
     INSERT INTO nodes.backups (backup_id, started_time, cut_time, finished_time, size_bytes, written_bytes)
     SELECT $1, to_timestamp($2 / 1000.0), to_timestamp($3 / 1000.0), now(), $4, $5`,
    [name, startedMs, cutMs, totalsOf(manifest).storedBytes, repository.writtenBytes],
  );
  return manifest;
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ n: string }>(
    `SELECT count(*) AS n FROM pg_tables WHERE (schemaname, tablename) IN (('nodes', 'backups'), ('historic', 'backup_holds'))`,
  );
  if (Number(rows[0]?.n) === 2) return;
  const isThere = (await migrationsOf(client, 'nodes')).length > 0;
  throw new Error(
    isThere
      ? 'The services are of an earlier version than this program: bring them up to date first'
      : 'The database has no installation',
  );
}
