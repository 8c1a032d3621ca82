import { StreamRestore } from '@catchment/bus';
import { migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import pg from 'pg';
import { accountScope } from './account-scope.ts';
import { putRecords } from './copy-records.ts';
import { migrationsOf, quoted } from './dump-tables.ts';
import { addKeys, dropKeys, loadSchema } from './load-tables.ts';
import type { BlobRef, Manifest } from './manifest.ts';
import { codeFor, type RestoreOptions, whole } from './restore-backup.ts';

type Account = { owner_id: string; account_name: string; slug: string };

/** Where the database of the backup is laid out meanwhile. */
const staged = (schema: string): string => `restore_${schema}`;
const LOCK_LIMIT = '30s';

/**
 * Brings one account of a backup, that was read whole, into an installation that may have others. Without keys, passwords, sessions and
 * work that was on its way; its people are invited anew. The rows of all accounts are laid out beside those of the services meanwhile.
 * @param account id or slug
 * @throws Error, with nothing changed but records that nobody sees
 */
export async function restoreAccount(options: RestoreOptions & { readonly account: string }): Promise<void> {
  const { backends, repository, manifest, decrypter, say } = options;
  const folders = await codeFor(manifest);
  await using open = new AsyncDisposableStack();
  const client = new pg.Client({
    connectionString: backends.databaseUrl,
    application_name: 'restore',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  open.defer(() => client.end());
  const names = manifest.schemas.map(({ name }) => name);
  const removeStaged = async () => {
    for (const name of names) await client.query(`DROP SCHEMA IF EXISTS ${quoted(staged(name))} CASCADE`);
  };
  await removeStaged();
  open.defer(removeStaged);
  const read = (blob: BlobRef) => repository.read(manifest, blob, decrypter);
  const log = createLogger('restore', { level: 'warn' });
  for (const schema of manifest.schemas) {
    const name = staged(schema.name);
    const migrating = { url: backends.databaseUrl, schema: name, folder: folders.get(schema.name) ?? '', log };
    await migrate({ ...migrating, count: schema.migrations.length });
    await loadSchema(client, { ...schema, name }, read);
    await migrate(migrating);
    if ((await migrationsOf(client, schema.name)).join() !== (await migrationsOf(client, name)).join())
      throw new Error(`The services of this installation are of another version: ${schema.name} has other migrations`);
  }
  const account = await chosenAccount(client, options.account);
  await refuseKnown(client, account);
  const ownerId = account.owner_id;

  await client.query(`DELETE FROM ${staged('historic')}.series_shards`);
  const records = manifest.records.filter((one) => one.ownerId === ownerId);
  const own: Manifest = {
    ...manifest,
    records,
    // There is no log to go on with: all of it is applied.
    replay: manifest.replay.map(({ from }) => ({ from, to: manifest.ends.INGEST ?? from })),
  };
  const environment = { DATABASE_SCHEMA: staged('historic'), COPY_OWNER_ID: ownerId };
  await putRecords(backends, own, read, () => {}, environment);
  say(`${records.reduce((sum, one) => sum + one.records, 0)} records`);
  say(`${await putObjects(client, options, ownerId)} objects of files`);
  const rows = await moveRows(client, names, ownerId);
  say(
    `${rows} rows. Account ${account.account_name} (${account.slug}) is as it was on ${new Date(manifest.cutMs).toISOString()}.`,
  );
  say('It has no keys, and its people no passwords: "catchment person link EMAIL" invites them.');
}

async function chosenAccount(client: pg.Client, wanted: string): Promise<Account> {
  const { rows } = await client.query<Account>(
    `SELECT owner_id, account_name, slug FROM ${staged('nodes')}.owners ORDER BY slug`,
  );
  const found = rows.find(({ owner_id, slug }) => owner_id === wanted || slug === wanted);
  if (found) return found;
  throw new Error(`The backup has no account ${wanted}: it has ${rows.map(({ slug }) => slug).join(', ')}`);
}

/** @throws Error when anything of the account is, or was, in this installation */
async function refuseKnown(client: pg.Client, { owner_id, slug }: Account): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT 'its id or its slug (' || $2 || ')' AS what FROM nodes.owners WHERE owner_id = $1 OR slug = $2
     UNION ALL SELECT 'nodes of it' FROM nodes.nodes n JOIN ${staged('nodes')}.nodes s USING (node_id) WHERE s.owner_id = $1
     UNION ALL SELECT 'nodes of it that were deleted' FROM historic.deleted_series d
       JOIN ${staged('nodes')}.nodes s USING (node_id) WHERE s.owner_id = $1
     LIMIT 1`,
    [owner_id, slug],
  );
  if (rows[0])
    throw new Error(`The installation has the account already: ${rows[0].what}. Restore it into another one.`);
}

async function putObjects(
  client: pg.Client,
  { backends, repository, manifest, decrypter }: RestoreOptions,
  ownerId: string,
): Promise<number> {
  const { rows } = await client.query<{ file_id: string }>(
    `SELECT file_id FROM ${staged('nodes')}.files WHERE owner_id = $1 AND NOT is_removing`,
    [ownerId],
  );
  const files = new Set(rows.map(({ file_id }) => file_id));
  const streams = await StreamRestore.open({
    ...{ url: backends.natsUrl, name: 'restore', prefix: backends.natsPrefix },
    ...{ partitions: manifest.partitions, replicas: backends.streamReplicas },
    log: createLogger('restore', { level: 'warn' }),
  });
  let count = 0;
  try {
    for (const { name, blob } of manifest.objects) {
      if (!files.has(name.split('/')[0] ?? '')) continue;
      await streams.putObject(name, await whole(repository.read(manifest, blob, decrypter)));
      count += 1;
    }
  } finally {
    await streams.close();
  }
  return count;
}

/** All rows of the account, in one transaction. */
async function moveRows(client: pg.Client, schemas: readonly string[], ownerId: string): Promise<number> {
  let count = 0;
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_LIMIT}'`);
    for (const schema of schemas) {
      // Conditions look at the rows of the backup; what tables call by name is the same there.
      await client.query(`SET LOCAL search_path TO ${quoted(staged(schema))}`);
      const keys = await dropKeys(client, schema);
      for (const [table, scope] of await accountScope(schema)) {
        if ('left' in scope) continue;
        const target = `${quoted(schema)}.${quoted(table)}`;
        const columns = await columnsOf(client, target);
        const values = columns.map((name) => scope.set?.[name] ?? `t.${quoted(name)}`);
        await client.query(`ALTER TABLE ${target} DISABLE TRIGGER USER`);
        const { rowCount } = await client.query(
          `INSERT INTO ${target} (${columns.map(quoted).join(', ')})
           SELECT ${values.join(', ')} FROM ${quoted(table)} t WHERE ${scope.where.replaceAll('{nodes}', staged('nodes'))}
           ${scope.keeps ? `ON CONFLICT (${quoted(scope.keeps)}) DO NOTHING` : ''}`,
          [ownerId],
        );
        await client.query(`ALTER TABLE ${target} ENABLE TRIGGER USER`);
        count += rowCount ?? 0;
      }
      await addKeys(client, schema, keys);
    }
    await client.query('COMMIT');
    return count;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Those that are given a value. */
async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
     AND NOT attisdropped AND attgenerated = '' AND attidentity = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}
