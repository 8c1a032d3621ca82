import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import pg from 'pg';
import { mapPgError } from './pg-errors.ts';
import type { Queryable } from './queryable.ts';

/** Longest wait for a database that starts together with its services, or restarts. */
const WAIT_LIMIT_MS = 120_000;
/** PostgreSQL is away when a connection takes longer. */
const CONNECT_LIMIT_MS = 10_000;
const WAIT_STEP_MS = 500;
const SAY_EVERY_MS = 15_000;
/**
 * Longest wait for a table that others use, a backup for hours: whoever comes later to the table waits behind the migration. Then it is
 * theirs for a while.
 */
const LOCK_LIMIT_MS = 1_000;
const LOCK_PAUSE_MS = 5_000;
/** lock_not_available: `LOCK_LIMIT_MS` is over. */
const LOCKED = '55P03';

/**
 * Brings a schema up to date with the SQL files of a folder (`0001-create-nodes.sql` …, forward only, each in a
 * separate transaction). Replicas that start together wait for one another; running it again changes nothing. A
 * database that does not answer is waited for, and so is a table that others use, without holding them up.
 * @throws what the last attempt failed with, when that has not ended within `waitLimitMs` (two minutes); the reason of
 * `signal`
 */
export const migrate = (options: MigrateOptions): Promise<void> =>
  waitedFor(options, async () => {
    for (const name of await runPending(options))
      options.log.info({ migration: name, schema: options.schema }, 'migration applied');
  });

/** Looks at a database that is waited for as `migrate` does. @throws as `migrate` */
export const lookAt = <T>(options: WaitOptions, look: (database: Queryable) => Promise<T>): Promise<T> =>
  waitedFor(options, () =>
    connected(options, (client) =>
      look({
        query: async <Row>(text: string, values?: readonly unknown[]) => {
          const { rows } = await client.query(text, values as unknown[]);
          return { rows: rows as Row[], rowCount: rows.length };
        },
      }),
    ),
  );

async function waitedFor<T>(options: WaitOptions, work: () => Promise<T>): Promise<T> {
  const { log, signal } = options;
  const { now, pause } = options.clock ?? { now: () => performance.now(), pause: paused };
  const startMs = now();
  let nextSayMs = startMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const waitedMs = now() - startMs;
      if (mapPgError(error).kind !== 'unavailable' || waitedMs > (options.waitLimitMs ?? WAIT_LIMIT_MS)) throw error;
      if (now() >= nextSayMs) {
        const facts = {
          ...(options.schema !== undefined && { schema: options.schema }),
          waitedSeconds: Math.round(waitedMs / 1_000),
        };
        log.warn(facts, isLocked(error) ? 'waiting for a table that others use' : 'waiting for the database');
        nextSayMs = now() + SAY_EVERY_MS;
      }
      await pause(isLocked(error) ? LOCK_PAUSE_MS : WAIT_STEP_MS, signal);
      signal?.throwIfAborted();
    }
  }
}

type WaitOptions = {
  readonly url: string;
  /** Lines of the log name the schema like this. */
  readonly schema?: string;
  readonly log: Logger;
  readonly waitLimitMs?: number;
  /** Ends the wait, and the connection with whatever migration runs on it: PostgreSQL undoes that one. */
  readonly signal?: AbortSignal;
  readonly clock?: { readonly now: () => number; readonly pause: Pause };
};

type MigrateOptions = WaitOptions & {
  readonly schema: string;
  readonly folder: string;
  /** This many of the pending migrations are applied, in order; absent for all. */
  readonly count?: number;
};

type Pause = (ms: number, signal?: AbortSignal) => Promise<unknown>;

const paused: Pause = (ms, signal) => wait(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined);

const isLocked = (error: unknown): boolean => (error as { code?: unknown }).code === LOCKED;

const runPending = (options: MigrateOptions): Promise<string[]> =>
  connected(options, async (client) => {
    // Other replicas are waited for as long as they take.
    await client.query('SELECT pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID]);
    await client.query(`SET lock_timeout = ${LOCK_LIMIT_MS}`);
    return await runWith(client, options);
  });

/** Works on a separate connection, whose end ends its locks. */
async function connected<T>({ url, signal }: WaitOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // Its statement fails too.
  client.on('error', () => {});
  // A server that hangs answers no farewell either.
  const disconnect = () => client.connection.stream.destroy();
  signal?.addEventListener('abort', disconnect, { once: true });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    signal?.removeEventListener('abort', disconnect);
  }
}

async function runWith(client: pg.Client, options: MigrateOptions): Promise<string[]> {
  const { log } = options;
  const applied = await runner({
    dbClient: client,
    dir: options.folder,
    direction: 'up',
    ...(options.count !== undefined && { count: options.count }),
    migrationsTable: 'migrations',
    schema: options.schema,
    createSchema: true,
    noLock: true,
    // A failure is thrown; the library would log it too.
    logger: { info: () => {}, debug: () => {}, warn: (text) => log.warn(text), error: () => {} },
  });
  return applied.map(({ name }) => name);
}
