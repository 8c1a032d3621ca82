import { type Finding, unknown, withoutLogin } from '@catchment/bus';
import { Database } from '@catchment/pg';
import type { Installation } from './installation.ts';
import type { Check } from './run-checks.ts';

const POSTGRESQL = 'postgresql';
const isAway = (database: Database): Promise<boolean> =>
  database.check().then(
    () => false,
    () => true,
  );

/**
 * Makes a check with its own connection to PostgreSQL. The check about PostgreSQL reports that it is away, and no other
 * does.
 */
export const databaseCheck = (
  about: string,
  { environment }: Installation,
  look: (database: Database, signal: AbortSignal) => Promise<readonly Finding[]>,
): Check => {
  const url = environment.DATABASE_URL;
  return {
    about,
    advice: `Check DATABASE_URL${url ? ` (${withoutLogin(url)})` : ''}, its login, and that PostgreSQL runs and is reachable from here.`,
    look: async ({ ms, signal }) => {
      if (!url)
        return [
          unknown(about, 'DATABASE_URL is not set here', 'Run it where a service with a database has its settings.'),
        ];
      const options = { url, schema: 'public', applicationName: 'doctor', maxConnections: 3, statementTimeoutMs: ms };
      const database = new Database(options);
      try {
        if (about !== POSTGRESQL && (await isAway(database)))
          return [unknown(about, 'PostgreSQL does not answer', `Repair ${POSTGRESQL} first.`)];
        return await look(database, signal);
      } finally {
        await database.close();
      }
    },
  };
};
