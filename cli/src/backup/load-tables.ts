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
    // What tables call, such as functions of generated columns, is looked for where the service looks for it.
    await client.query(`SET LOCAL search_path TO ${quoted(schema)}`);
    for (const { name, partition } of tables)
      if (partition)
        await client.query(
          `CREATE TABLE IF NOT EXISTS ${named(name)} PARTITION OF ${named(partition.of)} ${partition.bound}`,
        );
    await client.query(`TRUNCATE ${tables.map(({ name }) => named(name)).join(', ')}`);
    for (const table of await inOrder(client, schema, tables)) {
      // Triggers have done their work when the rows came first.
      await client.query(`ALTER TABLE ${named(table.name)} DISABLE TRIGGER USER`);
      await load(client, named(table.name), table, read(table.blob));
      await client.query(`ALTER TABLE ${named(table.name)} ENABLE TRIGGER USER`);
    }
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

/** Tables that others refer to come before these. */
async function inOrder(client: pg.Client, schema: string, tables: readonly TableCopy[]): Promise<TableCopy[]> {
  const { rows } = await client.query<{ name: string; refers: string }>(
    `SELECT c.relname AS name, r.relname AS refers FROM pg_constraint k
     JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE k.contype = 'f' AND n.nspname = $1 AND c.oid <> r.oid`,
    [schema],
  );
  const left = new Set(tables);
  const ordered: TableCopy[] = [];
  while (left.size > 0) {
    const waiting = new Set([...left].map(({ name }) => name));
    const free = [...left].filter(({ name }) => !rows.some((key) => key.name === name && waiting.has(key.refers)));
    if (free.length === 0) throw new Error(`tables of ${schema} refer to each other: ${[...waiting].join(', ')}`);
    for (const table of free) left.delete(table);
    ordered.push(...free);
  }
  return ordered;
}
