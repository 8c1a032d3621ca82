// `npm run generate:schemas` writes services/*/schema.sql, the tables of each service as its migrations leave them.
import { writeFile } from 'node:fs/promises';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { BROKER_ENV, openServerBroker } from '@catchment/testkit/server-broker';
import { STORED, schemaFile, schemaFileText } from './schema/schema-file.ts';

const broker = await openServerBroker();
process.env[BROKER_ENV] = broker.socket;
try {
  for (const service of STORED) {
    await using database = await migratedDatabase(service);
    await writeFile(schemaFile(service), await schemaFileText(service, database.url));
  }
} finally {
  await broker.close();
}
