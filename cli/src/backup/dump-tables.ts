import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { SchemaCopy, TableCopy } from './manifest.ts';
import type { Repository } from './repository.ts';

/** Migrations make these, or they are of the time of the backup alone. */
const LEFT_OUT: readonly string[] = ['migrations', 'backup_holds'];

type TableRow = { name: string; parent: string | null; bound: string | null };

/** Copies a schema as the transaction of `client` sees it. */
export async function dumpSchema(client: pg.Client, repository: Repository, schema: string): Promise<SchemaCopy> {
  const migrations = await migrationsOf(client, schema);
  const { rows: sequences } = await client.query<{ name: string; last: string }>(
    'SELECT sequencename AS name, last_value AS last FROM pg_sequences WHERE schemaname = $1 AND last_value IS NOT NULL ORDER BY 1',
    [schema],
  );
  const { rows: found } = await client.query<TableRow>(
    `SELECT c.relname AS name, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY 1`,
    [schema],
  );
  const tables: TableCopy[] = [];
  for (const table of found.filter(({ name }) => !LEFT_OUT.includes(name)))
    tables.push(await dumpTable(client, repository, schema, table));
  return {
    name: schema,
    migrations,
    sequences: sequences.map(({ name, last }) => ({ name, last: Number(last) })),
    tables,
  };
}

/** Lists the names of the migrations that a schema has, in their order; none where it is not there. */
export async function migrationsOf(client: pg.Client, schema: string): Promise<string[]> {
  const { rows: known } = await client.query('SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [
    schema,
    'migrations',
  ]);
  if (known.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${quoted(schema)}.migrations ORDER BY id`);
  return rows.map(({ name }) => name);
}

async function dumpTable(
  client: pg.Client,
  repository: Repository,
  schema: string,
  { name, parent, bound }: TableRow,
): Promise<TableCopy> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [`${quoted(schema)}.${quoted(name)}`],
  );
  const columns = rows.map((column) => column.name);
  const stream = client.query(
    copyTo(`COPY ${quoted(schema)}.${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`),
  );
  const blob = await repository.write(Readable.from(stream, { objectMode: false }));
  const partition = parent !== null && bound !== null ? { partition: { of: parent, bound } } : {};
  return { name, columns, rows: stream.rowCount, ...partition, blob };
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
