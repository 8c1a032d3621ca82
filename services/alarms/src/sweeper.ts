import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';
import type { AlarmStore } from './usecases/ports.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The parts of a column follow one another within one publish; those of a write that failed half-way are left over. */
const PARTS_DAYS = 1;

export const sweep = (store: AlarmStore, nowMs: number): Promise<void> =>
  store.purge({ nowMs, partsMs: nowMs - PARTS_DAYS * DAY_MS });

/** Removes what is no longer needed, every hour until stopped. */
export function startSweeper(store: AlarmStore, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sweep(store, Date.now()).catch((err: unknown) => log.warn({ err }, 'sweep failed, trying again later'));
      await sleep(HOUR_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
