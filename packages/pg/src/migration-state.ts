import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Queryable } from './queryable.ts';

/** Compares a schema with the files of this version. */
export type MigrationState = {
  /** The schema has not had these files; all of them where there is no schema. */
  readonly missing: readonly string[];
  /** The schema has had these, which have no file here: a newer version's. */
  readonly unknown: readonly string[];
};

/** Names of the migrations in a folder, in the order in which they are applied. */
export const migrationNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.parse(file).name)
    .sort();

/** Compares a schema with the folder of its migrations (`migrate`); changes nothing. */
export async function migrationState(
  database: Queryable,
  { schema, folder }: { readonly schema: string; readonly folder: string },
): Promise<MigrationState> {
  const files = await migrationNames(folder);
  const table = await database.query<{ there: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2) AS there',
    [schema, 'migrations'],
  );
  const applied = table.rows[0]?.there
    ? await database.query<{ name: string }>(`SELECT name FROM "${schema.replaceAll('"', '""')}".migrations`)
    : { rows: [] };
  const names = new Set(applied.rows.map(({ name }) => name));
  const known = new Set(files);
  return {
    missing: files.filter((file) => !names.has(file)),
    unknown: [...names].filter((name) => !known.has(name)).sort(),
  };
}
