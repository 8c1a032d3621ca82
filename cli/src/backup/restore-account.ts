import { StreamRestore } from '@catchment/bus';
import { countOf } from '@catchment/number-format';
import { migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import pg from 'pg';
import { accountScope, type MovedTable } from './account-scope.ts';
import { putRecords } from './copy-records.ts';
import { migrationsOf, quoted } from './dump-tables.ts';
import { takeInstallation } from './installation-lock.ts';
import { Interruption } from './interruption.ts';
import { columnsOf, inOrder, restTriggers, tableName, targetsOf } from './live-tables.ts';
import { loadSchema } from './load-tables.ts';
import type { BlobRef, Manifest } from './manifest.ts';
import { type Account, refuseKnown } from './refuse-known.ts';
import { codeFor, type RestoreOptions, whole } from './restore-backup.ts';
import { announceSeries, touchedSeries } from './touched-series.ts';

/** The database of the backup is laid out here meanwhile. */
const staged = (schema: string): string => `restore_${schema}`;
const LOCK_LIMIT = '30s';
const SAY_RECORDS = 5_000_000;
const SAY_OBJECTS = 1_000;
/** Running services write many rows of these schemas, and some wait until the end; others are before them. */
const LAST: readonly string[] = ['historic', 'nodes'];
/** Running services may take this many numbers between the look at a sequence and its setting. */
const TAKEN_MEANWHILE = 10_000;

/**
 * Brings one account of a backup, that was read whole, into an installation that may have others. Keys, passwords, sessions and work that
 * was on its way stay behind; its people are invited anew. The rows of all accounts are laid out beside those of the services meanwhile.
 * @param account id or slug
 * @throws Error, with nothing changed but records that nobody sees
 */
export async function restoreAccount(options: RestoreOptions & { readonly account: string }): Promise<void> {
  const { backends, manifest, say } = options;
  await using open = new AsyncDisposableStack();
  const client = new pg.Client({
    connectionString: backends.databaseUrl,
    application_name: 'restore-account',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  open.defer(() => client.end());
  await takeInstallation(client, 'alone');
  const names = manifest.schemas.map(({ name }) => name);
  const removeStaged = async () => {
    for (const name of names) await client.query(`DROP SCHEMA IF EXISTS ${quoted(staged(name))} CASCADE`);
  };
  // A restore that was killed may have left its schemas.
  await removeStaged();
  open.defer(() =>
    removeStaged().catch((error: Error) => {
      say(`The rows of all accounts are still in schemas ${names.map(staged).join(', ')} (${error.message})`);
      say('The next "catchment restore --account" removes them, and so does DROP SCHEMA … CASCADE');
    }),
  );
  const interruption = open.use(await Interruption.of(client, backends.databaseUrl));
  const { signal } = interruption;
  try {
    await bringIn(client, names, { ...options, signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

type Work = RestoreOptions & { readonly account: string; readonly signal: AbortSignal };

async function bringIn(client: pg.Client, names: readonly string[], work: Work): Promise<void> {
  const { backends, manifest, say, signal } = work;
  const folders = await codeFor(manifest);
  const read = reading(work);
  const log = createLogger('restore', { level: 'warn' });
  for (const schema of manifest.schemas) {
    const name = staged(schema.name);
    const migrating = { url: backends.databaseUrl, schema: name, folder: folders.get(schema.name) ?? '', log };
    await migrate({ ...migrating, count: schema.migrations.length });
    await loadSchema(client, { ...schema, name }, read);
    await migrate(migrating);
    signal.throwIfAborted();
    if ((await migrationsOf(client, schema.name)).join() !== (await migrationsOf(client, name)).join())
      throw new Error(`The services of this installation are of another version: ${schema.name} has other migrations`);
    say(`${schema.name}: ${schema.tables.reduce((sum, { rows }) => sum + rows, 0)} rows of all accounts are laid out`);
  }
  const account = await chosenAccount(client, work.account);
  await refuseKnown(client, account, staged);
  const ownerId = account.owner_id;

  await placeAtDefault(client, ownerId);
  const accountManifest: Manifest = {
    ...manifest,
    records: manifest.records.filter((record) => record.ownerId === ownerId),
    // There is no log to go on with: all of it is applied.
    replay: manifest.replay.map(({ from }) => ({ from, to: manifest.ends.INGEST ?? from })),
  };
  const environment = { DATABASE_SCHEMA: staged('historic'), COPY_OWNER_ID: ownerId };
  const records = counter('records', SAY_RECORDS, say);
  await putRecords(backends, accountManifest, read, records.add, environment);
  records.end();
  const objects = counter('objects of files', SAY_OBJECTS, say);
  await using open = new AsyncDisposableStack();
  const streams = await StreamRestore.open({
    url: backends.natsUrl,
    name: 'restore',
    prefix: backends.natsPrefix,
    partitions: manifest.partitions,
    replicas: backends.streamReplicas,
    log,
  });
  open.defer(() => streams.close());
  await putObjects(client, streams, work, ownerId, objects.add);
  objects.end();
  const touched = await touchedSeries(manifest, read, ownerId);
  // Their newest records are taken from the store, when the next ones come.
  await client.query(
    `UPDATE ${staged('alarms')}.series SET history = '[]', known_since_ms = 'Infinity' WHERE node_id = ANY($1)`,
    [[...touched]],
  );
  signal.throwIfAborted();
  const rows = await moveRows(client, names, account, say);
  say(
    `${countOf(rows, 'row')}. Account ${account.account_name} (${account.slug}) is as it was on ${new Date(manifest.cutMs).toISOString()}.`,
  );
  const announced = await announceSeries(client, streams, { ownerId, nodeIds: touched, atMs: manifest.cutMs });
  if (announced > 0)
    say(`${announced} series were written while the backup was made: services look at their newest records`);
  say('It has no keys, and its people no passwords: "catchment person link EMAIL" invites them.');
}

/** Reads until the work is broken off. */
const reading = ({ repository, manifest, decrypter, signal }: Work) =>
  async function* (blob: BlobRef) {
    for await (const piece of repository.read(manifest, blob, decrypter)) {
      signal.throwIfAborted();
      yield piece;
    }
  };

/** Says how many there are, at every this many and at the end. */
function counter(what: string, step: number, say: (line: string) => void) {
  let [count, next] = [0, step];
  const add = (more: number) => {
    count += more;
    if (count < next) return;
    next = count + step;
    say(`${count} ${what}`);
  };
  return { add, end: () => say(`${count} ${what}`) };
}

async function chosenAccount(client: pg.Client, wanted: string): Promise<Account> {
  const { rows } = await client.query<Account>(
    `SELECT owner_id, account_name, slug FROM ${staged('nodes')}.owners ORDER BY slug`,
  );
  const found = rows.find(({ owner_id, slug }) => owner_id === wanted || slug === wanted);
  if (found) return found;
  throw new Error(`The backup has no account ${wanted}: it has ${rows.map(({ slug }) => slug).join(', ')}`);
}

/**
 * The InfluxDBs of the backup need not be those of the installation: all records of the account go to `default`. Without a place there, what is
 * written later would go elsewhere, and be looked for there.
 */
async function placeAtDefault(client: pg.Client, ownerId: string): Promise<void> {
  const [historic, nodes] = [staged('historic'), `${staged('nodes')}.nodes`];
  for (const [table, id] of [
    ['series_shards', 'node_id'],
    ['workspace_shards', 'workspace_id'],
  ]) {
    await client.query(`DELETE FROM ${historic}.${table}`);
    await client.query(
      `INSERT INTO ${historic}.${table} (${id}, shard) SELECT DISTINCT ${id}, 'default' FROM ${nodes} WHERE owner_id = $1`,
      [ownerId],
    );
  }
}

async function putObjects(
  client: pg.Client,
  streams: StreamRestore,
  work: Work,
  ownerId: string,
  onObjects: (objects: number) => void,
): Promise<void> {
  const { rows } = await client.query<{ file_id: string }>(
    `SELECT file_id FROM ${staged('nodes')}.files WHERE owner_id = $1 AND NOT is_removing`,
    [ownerId],
  );
  const files = new Set(rows.map(({ file_id }) => file_id));
  const read = reading(work);
  for (const { name, blob } of work.manifest.objects) {
    if (!files.has(name.split('/')[0] ?? '')) continue;
    await streams.putObject(name, await whole(read(blob)));
    onObjects(1);
  }
}

/**
 * Moves all rows of the account, in one transaction, while services go on: with the constraints of the live tables, so
 * each table comes after those that it refers to. Long work that locks nothing comes first; the nodes, whose triggers
 * rest meanwhile, last.
 */
async function moveRows(
  client: pg.Client,
  schemas: readonly string[],
  account: Account,
  say: (line: string) => void,
): Promise<number> {
  let count = 0;
  const rests: string[] = [];
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_LIMIT}'`);
    // Much may have been made since it was looked for.
    await refuseKnown(client, account, staged);
    for (const schema of schemas.toSorted((schema, other) => LAST.indexOf(schema) - LAST.indexOf(other))) {
      // Conditions look at the rows of the backup; what tables call by name is the same there.
      await client.query(`SET LOCAL search_path TO ${quoted(staged(schema))}`);
      const scopes = await accountScope(schema);
      const tables = await inOrder(client, schema, [...scopes.keys()]);
      let rows = 0;
      for (const table of tables) {
        const scope = scopes.get(table);
        if (!scope || 'left' in scope) continue;
        const columns = await columnsOf(client, tableName(schema, table));
        const values = columns.map((name) => scope.set?.[name] ?? `t.${quoted(name)}`);
        for (const { target, condition } of await targetsOf(client, schema, table)) {
          if (await restTriggers(client, target)) rests.push(target);
          const { rowCount } = await client.query(
            `INSERT INTO ${target} (${columns.map(quoted).join(', ')})
             SELECT ${values.join(', ')} FROM ${quoted(table)} t
             WHERE (${scope.where.replaceAll('{nodes}', staged('nodes'))}) AND (${condition})
             ${onConflict(scope, columns)}`,
            [account.owner_id],
          );
          rows += rowCount ?? 0;
        }
      }
      await passNumbers(client, schema);
      say(`${schema}: ${countOf(rows, 'row')}`);
      count += rows;
    }
    // A table with a check that is still to come cannot be altered.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const target of rests) await client.query(`ALTER TABLE ${target} ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    return count;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function onConflict({ keeps, replaces }: MovedTable, columns: readonly string[]): string {
  if (keeps) return `ON CONFLICT (${quoted(keeps)}) DO NOTHING`;
  if (!replaces) return '';
  const news = columns.map((name) => `${quoted(name)} = EXCLUDED.${quoted(name)}`);
  return `ON CONFLICT (${quoted(replaces)}) DO UPDATE SET ${news.join(', ')}`;
}

/**
 * Sequences of a schema go on behind those of the backup: followers of a node drop what has a smaller revision than the
 * one that they know. Sequences of identity columns count rows that stay behind, so they are left alone.
 */
async function passNumbers(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'S' AND c.relnamespace = $1::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i')`,
    [quoted(schema)],
  );
  for (const { name } of rows) {
    const [live, copied] = [`${quoted(schema)}.${quoted(name)}`, `${quoted(staged(schema))}.${quoted(name)}`];
    await client.query(
      `SELECT setval($1::regclass, greatest(live.last_value, copied.last_value) + ${TAKEN_MEANWHILE})
       FROM ${live} live, ${copied} copied WHERE copied.is_called AND live.last_value < copied.last_value + ${TAKEN_MEANWHILE}`,
      [live],
    );
  }
}
