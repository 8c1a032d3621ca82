import type { Logger } from '@catchment/telemetry';
import { runner } from 'node-pg-migrate';

/**
 * Brings a schema up to date with the SQL files of a folder (`0001-create-nodes.sql` …, forward only, each in a transaction of its own).
 * Replicas that start together wait for one another; running it again changes nothing.
 */
export async function migrate(options: { url: string; schema: string; folder: string; log: Logger }): Promise<void> {
  const { log } = options;
  const applied = await runner({
    databaseUrl: options.url,
    dir: options.folder,
    direction: 'up',
    migrationsTable: 'migrations',
    schema: options.schema,
    createSchema: true,
    advisoryLockMode: 'wait',
    logger: { info: () => {}, debug: () => {}, warn: (text) => log.warn(text), error: (text) => log.error(text) },
  });
  for (const { name } of applied) log.info({ migration: name, schema: options.schema }, 'migration applied');
}
