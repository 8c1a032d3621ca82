import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';

const HOUR_MS = 3_600_000;

/** Runs what removes old rows, every hour until stopped; any replica may. */
export function purgeHourly(purge: () => Promise<void>, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await purge().catch((err: unknown) => log.warn({ err }, 'old rows could not be removed, trying again later'));
      await sleep(HOUR_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
