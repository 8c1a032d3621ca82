import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';
import { runner } from 'node-pg-migrate';
import { mapPgError } from './pg-errors.ts';

/** Longest wait for a database that starts together with its services, or restarts. */
const WAIT_LIMIT_MS = 120_000;
const WAIT_STEP_MS = 500;
const SAY_EVERY_MS = 15_000;

/**
 * Brings a schema up to date with the SQL files of a folder (`0001-create-nodes.sql` …, forward only, each in a transaction of its own).
 * Replicas that start together wait for one another; running it again changes nothing. A database that does not answer is waited for.
 * @throws what the last attempt failed with, when the database does not answer within `waitLimitMs` (two minutes)
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { log } = options;
  const { now, pause } = options.clock ?? { now: () => performance.now(), pause: wait };
  const startMs = now();
  let nextSayMs = startMs;
  for (;;) {
    try {
      for (const name of await runPending(options))
        log.info({ migration: name, schema: options.schema }, 'migration applied');
      return;
    } catch (error) {
      const waitedMs = now() - startMs;
      if (mapPgError(error).kind !== 'unavailable' || waitedMs > (options.waitLimitMs ?? WAIT_LIMIT_MS)) throw error;
      if (now() >= nextSayMs) {
        log.warn({ schema: options.schema, waitedSeconds: Math.round(waitedMs / 1_000) }, 'waiting for the database');
        nextSayMs = now() + SAY_EVERY_MS;
      }
      await pause(WAIT_STEP_MS);
    }
  }
}

export type MigrateOptions = {
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
  readonly log: Logger;
  readonly waitLimitMs?: number;
  /** Of those that are not applied yet, only the first so many; absent = all. */
  readonly count?: number;
  readonly clock?: { readonly now: () => number; readonly pause: (ms: number) => Promise<unknown> };
};

async function runPending(options: MigrateOptions): Promise<string[]> {
  const { log } = options;
  const applied = await runner({
    databaseUrl: options.url,
    dir: options.folder,
    direction: 'up',
    ...(options.count !== undefined && { count: options.count }),
    migrationsTable: 'migrations',
    schema: options.schema,
    createSchema: true,
    advisoryLockMode: 'wait',
    // A failure is thrown; the library would log it too.
    logger: { info: () => {}, debug: () => {}, warn: (text) => log.warn(text), error: () => {} },
  });
  return applied.map(({ name }) => name);
}
