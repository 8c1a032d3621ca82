import { Database } from '@catchment/pg';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { pgStore } from '../src/pg-store.ts';
import type { Store } from '../src/store.ts';

export type DevicesDatabase = { readonly database: Database; readonly store: Store; drop(): Promise<void> };

/** Makes a separate database with the tables of the service. */
export async function devicesDatabase(): Promise<DevicesDatabase> {
  const server = await migratedDatabase('devices');
  const { url } = server;
  const database = new Database({ url, schema: 'devices', applicationName: 'test', rehearsesTransactions: true });
  const drop = async () => {
    await database.close();
    await server.drop();
  };
  return { database, store: pgStore(database, 'io.svc'), drop };
}
