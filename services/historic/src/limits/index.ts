import { nodesOfSources } from '@catchment/node-replica';
import type { Database } from '@catchment/pg';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { pgDailyRows } from './store/pg-daily-rows.ts';
import { DailyLimits } from './usecases/daily-limits.ts';
import { type DayTimesDeps, dayTimes } from './usecases/day-times.ts';

export { accountRowLimit } from './clients/account-limits.ts';
export type { DailyLimits } from './usecases/daily-limits.ts';

const COUNT_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 3_600_000;

type LimitsRoomDeps = Pick<DayTimesDeps, 'existing' | 'backlog'> & {
  readonly database: Database;
  readonly limitOf: (ownerId: string) => Promise<number>;
  /** A source may have this many rows a day where the account has no limit; 0 = no limit. */
  readonly installationLimit: number;
  readonly log: Logger;
};

/** Counts rows of sources by day (docs/reference/writing.md#daily-limits), and saves the counts. */
export function openLimits({ database, existing, backlog, limitOf, installationLimit, log }: LimitsRoomDeps) {
  const nodesOf: DayTimesDeps['nodesOf'] = (source, limit) => nodesOfSources(database, [source], limit);
  const limits = new DailyLimits({
    rows: pgDailyRows(database),
    limitOf,
    timesOf: dayTimes({ nodesOf, existing, backlog, log }),
    now: Date.now,
    log,
  });
  const jobs = [
    repeat(() => limits.flush(), {
      everyMs: COUNT_EVERY_MS,
      failed: 'rows could not be counted, trying again',
      log,
    }),
    repeat(() => limits.purge(installationLimit), {
      everyMs: PURGE_EVERY_MS,
      failed: 'old row counts could not be removed, trying again later',
      log,
    }),
  ];
  return {
    limits,
    async stop(): Promise<void> {
      await Promise.all(jobs.map((job) => job.stop()));
      await limits.flush();
    },
  };
}
