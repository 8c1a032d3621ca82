import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';

/**
 * Runs a task now, and again `everyMs` after each of its ends, until stopped.
 * @param options.failed what is logged when it fails; it is tried again the next time
 */
export function repeat(
  task: () => Promise<unknown>,
  { everyMs, failed, log }: { everyMs: number; failed: string; log: Pick<Logger, 'warn'> },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await task().catch((err: unknown) => log.warn({ err }, failed));
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
