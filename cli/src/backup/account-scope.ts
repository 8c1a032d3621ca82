import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../start/paths.ts';

/** Says which rows of a table belong to an account; `$1` = its id, `{nodes}` = the schema of nodes. */
type TableScope = { readonly left: string } | MovedTable;

export type MovedTable = {
  readonly where: string;
  /** Columns that get another value. */
  readonly set?: Readonly<Record<string, string>>;
  /** A row that is there with the same key stays as it is. */
  readonly keeps?: string;
  /** A row that is there with the same key becomes that of the backup. */
  readonly replaces?: string;
};

/** Reads the declaration beside the migrations of a service (services/NAME/account-scope.json): every table is in it. */
export async function accountScope(schema: string): Promise<Map<string, TableScope>> {
  const file = path.join(ROOT, 'services', schema, 'account-scope.json');
  return new Map(Object.entries(JSON.parse(await readFile(file, 'utf8')) as Record<string, TableScope>));
}
