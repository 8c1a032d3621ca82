import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { type TestDatabase, testDatabase } from './test-database.ts';

const SERVICES = path.resolve(import.meta.dirname, '../../../services');
const log = createLogger('test', { level: 'silent' });

/** Makes a PostgreSQL database for one test file, with the tables of these services: the first of its kind is migrated, others copy it. */
export async function migratedDatabase(...services: readonly string[]): Promise<TestDatabase> {
  const folders = services.map((schema) => ({ schema, folder: path.join(SERVICES, schema, 'migrations') }));
  return testDatabase({
    key: await digestOf(folders.map(({ folder }) => folder)),
    fill: async (url) => {
      for (const { schema, folder } of folders) await migrate({ url, schema, folder, log });
    },
  });
}

/** Servers may outlive a change of a migration. */
async function digestOf(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const name of (await readdir(folder)).sort())
      hash.update(path.join(folder, name)).update(await readFile(path.join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
