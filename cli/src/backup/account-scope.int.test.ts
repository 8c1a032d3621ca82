// Every table says which of its rows belong to an account (services/*/account-scope.json): a new one without a word is found here.
import type { TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { SCHEMAS } from '../../test/backup-fixture.ts';
import { accountScope } from './account-scope.ts';

let postgres: TestDatabase;
beforeAll(async () => {
  postgres = await migratedDatabase(...SCHEMAS);
});
afterAll(() => postgres?.drop());

test.each(SCHEMAS)('%s declares its tables, and columns that they have', async (schema) => {
  const columns = await postgres.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text) AS columns FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migrations' GROUP BY 1`,
    [schema],
  );
  const scope = await accountScope(schema);
  expect([...scope.keys()].sort()).toEqual(columns.map(({ name }) => name).sort());
  for (const { name, columns: known } of columns) {
    const declared = scope.get(name);
    if (!declared || 'left' in declared) continue;
    expect(known).toEqual(expect.arrayContaining(Object.keys(declared.set ?? {})));
    const where = declared.where.replaceAll('{nodes}', 'nodes').replaceAll('$1', `'${'0'.repeat(24)}'`);
    await postgres.query(`SET search_path TO ${schema}; SELECT count(*) FROM ${name} t WHERE ${where}`);
  }
});
