import type pg from 'pg';
import { quoted } from './dump-tables.ts';

export const tableName = (schema: string, table: string): string => `${quoted(schema)}.${quoted(table)}`;

/** Lists columns that are given a value. */
export async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
     AND NOT attisdropped AND attgenerated = '' AND attidentity = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/**
 * Lists tables of a schema, each behind those that it refers to. References that are checked at the end of the transaction do not count.
 * @throws Error for a circle
 */
export async function inOrder(client: pg.Client, schema: string, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; other: string }>(
    `SELECT c.relname AS name, o.relname AS other FROM pg_constraint k
     JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class o ON o.oid = k.confrelid
     WHERE k.contype = 'f' AND NOT k.condeferred AND k.conrelid <> k.confrelid AND c.relnamespace = $1::regnamespace`,
    [quoted(schema)],
  );
  const placed = new Set<string>();
  for (let left = tables; left.length > 0; ) {
    const free = left.filter((table) => rows.every(({ name, other }) => name !== table || placed.has(other)));
    if (free.length === 0) throw new Error(`Tables of ${schema} refer to each other in a circle: ${left.join(', ')}`);
    for (const table of free) placed.add(table);
    left = left.filter((table) => !placed.has(table));
  }
  return [...placed];
}

/**
 * Returns where the rows of a table go: its partitions, whose rows come without the triggers of the whole table, and so
 * without a lock that others wait for. No partition comes or goes until the end of the transaction.
 */
export async function targetsOf(
  client: pg.Client,
  schema: string,
  table: string,
): Promise<{ target: string; condition: string }[]> {
  const name = tableName(schema, table);
  // A new partition needs the one of all other rows for itself.
  const { rows: others } = await client.query<{ target: string }>(
    `SELECT partdefid::regclass::text AS target FROM pg_partitioned_table WHERE partrelid = $1::regclass AND partdefid <> 0`,
    [name],
  );
  for (const { target } of others) await client.query(`LOCK TABLE ${target} IN ROW EXCLUSIVE MODE`);
  const { rows } = await client.query<{ target: string; condition: string }>(
    `SELECT inhrelid::regclass::text AS target, pg_get_partition_constraintdef(inhrelid) AS condition
     FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
    [name],
  );
  return rows.length > 0 ? rows : [{ target: name, condition: 'true' }];
}

/**
 * Lets the triggers of a table rest that new rows have: their work was done when the rows came first. Others wait with what they write there.
 * @returns whether there are any
 */
export async function restTriggers(client: pg.Client, target: string): Promise<boolean> {
  const { rows } = await client.query(
    // Bit 2: of INSERT.
    `SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal AND tgtype & 4 <> 0`,
    [target],
  );
  if (rows.length > 0) await client.query(`ALTER TABLE ${target} DISABLE TRIGGER USER`);
  return rows.length > 0;
}
