import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { quoted } from './dump-tables.ts';
import type { BlobRef, SchemaCopy, TableCopy } from './manifest.ts';

/**
 * Fills the tables of a schema that its migrations have made, in one transaction.
 * @throws Error, with nothing changed, when a table does not get the rows that it had
 */
export async function loadSchema(
  client: pg.Client,
  { name: schema, tables, sequences }: SchemaCopy,
  read: (blob: BlobRef) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const named = (table: string) => `${quoted(schema)}.${quoted(table)}`;
  await client.query('BEGIN');
  try {
    // Functions that tables call, such as those of generated columns, are looked for where the service looks for them.
    await client.query(`SET LOCAL search_path TO ${quoted(schema)}`);
    for (const { name, partition } of tables)
      if (partition)
        await client.query(
          `CREATE TABLE IF NOT EXISTS ${named(name)} PARTITION OF ${named(partition.of)} ${partition.bound}`,
        );
    await client.query(`TRUNCATE ${tables.map(({ name }) => named(name)).join(', ')}`);
    const keys = await dropKeys(client, schema);
    for (const table of tables) {
      // Triggers have done their work when the rows came first.
      await client.query(`ALTER TABLE ${named(table.name)} DISABLE TRIGGER USER`);
      await load(client, named(table.name), table, read(table.blob));
      await client.query(`ALTER TABLE ${named(table.name)} ENABLE TRIGGER USER`);
    }
    // All rows are checked once more.
    await addKeys(client, schema, keys);
    for (const { name, last } of sequences) await client.query('SELECT setval($1::regclass, $2)', [named(name), last]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function load(
  client: pg.Client,
  table: string,
  { columns, rows }: TableCopy,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.map(quoted).join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(content, { objectMode: false }), stream);
  if (stream.rowCount !== rows) throw new Error(`${table} got ${stream.rowCount} rows of ${rows}`);
}

type Key = { name: string; table: string; definition: string };

/** Takes away what ties tables to each other, since some refer to each other in a circle. @returns what was taken away */
async function dropKeys(client: pg.Client, schema: string): Promise<Key[]> {
  const { rows } = await client.query<Key>(
    `SELECT k.conname AS name, c.relname AS table, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE k.contype = 'f' AND k.conparentid = 0 AND n.nspname = $1`,
    [schema],
  );
  for (const { name, table } of rows)
    await client.query(`ALTER TABLE ${quoted(schema)}.${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
  return rows;
}

/** Ties tables again; all rows are checked. */
async function addKeys(client: pg.Client, schema: string, keys: readonly Key[]): Promise<void> {
  for (const { name, table, definition } of keys)
    await client.query(`ALTER TABLE ${quoted(schema)}.${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`);
}
