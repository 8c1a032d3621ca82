import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';

/** Runs `work` every `everyMs` until stopped; a failure is logged and tried again next time. */
export function startSweeper(options: { everyMs: number; work: () => Promise<number>; log: Logger }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const removed = await options.work();
        if (removed > 0) options.log.info({ removed }, 'old events removed');
      } catch (err) {
        options.log.warn({ err }, 'sweep failed, trying again later');
      }
      await sleep(options.everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
