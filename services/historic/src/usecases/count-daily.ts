import type { Database } from '@catchment/pg';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { purgeCounts } from '../store/pg-daily-rows.ts';
import type { DailyLimits } from './daily-limits.ts';

const FLUSH_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 3_600_000;
/** Counts below this share of the limit are forgotten once a day is over; see NEAR of the limits. */
const FORGOTTEN_SHARE = 0.05;

/** Brings the counts of all replicas together once a second, and forgets what no limit depends on. Stops with a last flush. */
export function countDaily(
  limits: Pick<DailyLimits, 'flush'>,
  { database, log, limit }: { database: Database; log: Logger; limit: number },
): { stop(): Promise<void> } {
  const purge = async () => void (limit > 0 && (await purgeCounts(database, Math.floor(limit * FORGOTTEN_SHARE))));
  const purging = repeat('old row counts could not be removed', PURGE_EVERY_MS, purge, log);
  const flushing = repeat('rows could not be counted, trying again', FLUSH_EVERY_MS, () => limits.flush(), log);
  return {
    stop: async () => {
      await Promise.all([purging.stop(), flushing.stop()]);
      await limits.flush().catch((err: unknown) => log.warn({ err }, 'rows could not be counted'));
    },
  };
}
