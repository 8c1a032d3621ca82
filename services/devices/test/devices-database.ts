import { join } from 'node:path';
import { Database, migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { testDatabase } from '@catchment/testkit';
import { pgStore } from '../src/store/pg-store.ts';
import type { Store } from '../src/usecases/ports.ts';

const log = createLogger('test', { level: 'silent' });

export type DevicesDatabase = { readonly database: Database; readonly store: Store; drop(): Promise<void> };

/** A database of its own with the tables of the service. */
export async function devicesDatabase(): Promise<DevicesDatabase> {
  const server = await testDatabase();
  const { url } = server;
  await migrate({ url, schema: 'devices', folder: join(import.meta.dirname, '..', 'migrations'), log });
  const database = new Database({ url, schema: 'devices', applicationName: 'test', rehearsesTransactions: true });
  const drop = async () => {
    await database.close();
    await server.drop();
  };
  return { database, store: pgStore(database, 'io.svc'), drop };
}
