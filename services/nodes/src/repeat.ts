import type { Logger } from '@catchment/telemetry';

/**
 * Runs a task again and again, never twice at once.
 * @param failed what is said when it fails; it is tried again the next time
 */
export function repeat(
  failed: string,
  everyMs: number,
  task: () => Promise<unknown>,
  log: Logger,
): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = task()
      .catch((err: unknown) => log.warn({ err }, failed))
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
