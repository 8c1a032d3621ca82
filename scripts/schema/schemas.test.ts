import { readFile } from 'node:fs/promises';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { STORED, schemaFile, schemaFileText } from './schema-file.ts';

test.each(STORED)(
  'services/%s/schema.sql shows what the migrations make: npm run generate:schemas',
  async (service) => {
    await using database = await migratedDatabase(service);
    expect(await readFile(schemaFile(service), 'utf8')).toBe(await schemaFileText(service, database.url));
  },
);
