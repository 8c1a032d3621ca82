import type { Logger } from '@catchment/telemetry';

export type Repeated = {
  /** Says that there may be something to do before the time has come. */
  wake(): void;
  /** Resolves when the task in hand has ended. */
  stop(): Promise<void>;
};

/**
 * Runs a task again and again until stopped, never twice at once: first now, then at once as long as it answers true, there
 * being more to do, otherwise after a pause or when it is woken. Every replica runs its own: a task leaves to the others what
 * they have in hand.
 * @param options.failed the log message of a failure; the work is tried again after the pause
 */
export function repeat(
  task: (stopping: AbortSignal) => Promise<unknown>,
  { everyMs, failed, log }: { everyMs: number; failed: string; log: Pick<Logger, 'warn'> },
): Repeated {
  const stopping = new AbortController();
  let isWoken = false;
  let endPause = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!stopping.signal.aborted) {
      isWoken = false;
      const isMore = await task(stopping.signal).catch((err: unknown) => {
        log.warn({ err }, failed);
      });
      if (isMore !== true && !isWoken) await pause();
    }
  };
  const running = run();
  const wake = () => {
    isWoken = true;
    endPause();
  };
  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await running;
    },
  };
}
