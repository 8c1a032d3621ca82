import { envReader, withBackendLogins } from '@catchment/config';
import { migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { Command } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { migrationsFolder, schemasOfServices } from '../start/schemas.ts';

/** `catchment migrate`: what every service does at its start, for all of them, before a new version comes. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description("bring every service's database schema up to date; safe to repeat and to run beside running services")
    .option(
      '--wait <seconds>',
      'wait so long for a database that does not answer, or a table that others use',
      wholeNumber(0, 86_400),
      120,
    )
    .addHelpText(
      'after',
      `
The database is DATABASE_URL of the environment, with DATABASE_USER and DATABASE_PASSWORD where the URL has no login.`,
    )
    .action(async ({ wait }: { wait: number }) => {
      const read = envReader(withBackendLogins(process.env));
      const url = read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] });
      read.done();
      const log = createLogger('migrate');
      for (const schema of schemasOfServices()) {
        await migrate({ url, schema, folder: migrationsFolder(schema), log, waitLimitMs: wait * 1_000 });
        log.info({ schema }, 'schema is up to date');
      }
    });
}
