import { setTimeout } from 'node:timers/promises';
import type { LogEntry } from '@catchment/ingest-log';
import type { DaysOf } from '@catchment/node-replica';
import type { Database } from '@catchment/pg';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { pgRecordRetention } from './store/pg-record-retention.ts';
import { type ExpiryDeps, expireRecords } from './usecases/expire-records.ts';

export { olderAmong } from './store/influx-older.ts';
export { limitHandlers } from './transport/limit-handlers.ts';
export type { RecordLimitDeps } from './usecases/get-record-limits.ts';

const EXPIRE_EVERY_MS = 60_000;
const APPEND_LIMIT_MS = 5_000;

type RetentionRoomDeps = Pick<ExpiryDeps, 'olderAmong' | 'backlog'> & {
  readonly database: Database;
  /** Tells how long records of each account are kept. */
  readonly daysOf: (signal: AbortSignal) => Promise<DaysOf>;
  /** Appends to the ingest log, to the partition of the source. */
  readonly append: (sourceId: string, entries: readonly LogEntry[], deadlineMs: number) => Promise<unknown>;
  readonly log: Logger;
};

/** Removes records that are older than their account keeps them (docs/operations/retention.md). */
export function openRetention({ database, daysOf, olderAmong, append, backlog, log }: RetentionRoomDeps) {
  const accounts = pgRecordRetention(database);
  const deps: ExpiryDeps = {
    accounts,
    daysOf,
    olderAmong,
    append: (sourceId, entries) => append(sourceId, entries, Date.now() + APPEND_LIMIT_MS),
    backlog,
    pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
    now: Date.now,
    log,
  };
  const job = repeat((stopping) => expireRecords(deps, stopping), {
    everyMs: EXPIRE_EVERY_MS,
    failed: 'old records could not be removed, trying again later',
    log,
  });
  return { accounts, stop: () => job.stop() };
}
