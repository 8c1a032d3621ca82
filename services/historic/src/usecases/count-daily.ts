import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@catchment/pg';
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
  const stopping = new AbortController();
  const flush = () =>
    limits.flush().catch((err: unknown) => log.warn({ err }, 'rows could not be counted, trying again'));
  const running = (async () => {
    let purgedMs = Number.NEGATIVE_INFINITY;
    while (!stopping.signal.aborted) {
      await sleep(FLUSH_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      await flush();
      if (limit === 0 || performance.now() - purgedMs < PURGE_EVERY_MS) continue;
      purgedMs = performance.now();
      await purgeCounts(database, Math.floor(limit * FORGOTTEN_SHARE)).catch((err: unknown) =>
        log.warn({ err }, 'old row counts could not be removed, trying again later'),
      );
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
