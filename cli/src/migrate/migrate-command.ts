import { envReader, withBackendLogins } from '@catchment/config';
import { lookAt, mapPgError, migrate, migrationState } from '@catchment/pg';
import { createLogger, type Logger } from '@catchment/telemetry';
import { Command } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { migrationsFolder, schemasOfServices } from '../start/schemas.ts';

/** Makes `catchment migrate`: what every service does at its start, for all of them, before a new version comes. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .option(
      '--wait <seconds>',
      'wait so long for a database that does not answer, or a table that others use',
      wholeNumber(0, 86_400),
      120,
    )
    .option('--check', 'change nothing: check that this version fits the database, if it answers', false)
    .addHelpText(
      'after',
      `
A database that a newer version has migrated is refused, and nothing is changed.
The database is DATABASE_URL of the environment, with DATABASE_USER and DATABASE_PASSWORD where the URL has no login.`,
    )
    .action(async ({ wait, check, json = false }: JsonOption & { wait: number; check: boolean }) => {
      const read = envReader(withBackendLogins(process.env));
      const url = read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] });
      read.done();
      const options = { url, log: logOf(json), waitLimitMs: check ? 0 : wait * 1_000 };
      if (check) return answerJson(json, { fits: await lookOnly(options) });
      await refuseNewer(options);
      for (const schema of schemasOfServices()) {
        await migrate({ ...options, schema, folder: migrationsFolder(schema) });
        options.log.info({ schema }, 'schema is up to date');
      }
      answerJson(json, { schemas: schemasOfServices() });
    });
}

/** Lines of a log are what it says to people; with --json they stand aside. */
const logOf = (json: boolean): Logger =>
  createLogger('migrate', json ? { destination: { write: (line: string) => void process.stderr.write(line) } } : {});

function answerJson(json: boolean, document: object): void {
  if (json) answer({ json }, document, () => []);
}

type Options = { readonly url: string; readonly log: Logger; readonly waitLimitMs: number };

/** A database that does not answer is repaired by other means: it is no reason to end. */
async function lookOnly(options: Options): Promise<boolean | null> {
  try {
    await refuseNewer(options);
    options.log.info('this version fits the database');
    return true;
  } catch (error) {
    if (mapPgError(error).kind !== 'unavailable') throw error;
    options.log.warn('the database does not answer, so it was not looked at');
    return null;
  }
}

/** @throws Error that says what this version does not know, and what to do */
async function refuseNewer(options: Options): Promise<void> {
  const newer = await lookAt(options, async (database) => {
    const found: string[] = [];
    for (const schema of schemasOfServices()) {
      const { unknown } = await migrationState(database, { schema, folder: migrationsFolder(schema) });
      if (unknown.length > 0) found.push(`${schema} has had ${unknown.at(-1)}`);
    }
    return found;
  });
  if (newer.length > 0)
    throw new Error(
      `The database is of a newer version: ${newer.join(', ')}, which this version does not know. Nothing has changed. ` +
        'Use the version that brought it, which is the one that ran last («helm history» names it), or a later one. Back by one release: «helm rollback».',
    );
}
