import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';
import { errorText } from '../error-text.ts';

export type Waiting = {
  /** Longest wait after the first try. */
  readonly limitMs: number;
  /** Progress, for people. */
  readonly say: (line: string) => void;
  readonly now?: () => number;
  /** The pause between two tries. */
  readonly pause?: () => Promise<unknown>;
};

const STEP_MS = 1_000;
const SAY_EVERY_MS = 15_000;

/** Returns whether what failed may work soon, as when an installation is being started. */
const isNotThereYet = (error: unknown): boolean =>
  error instanceof DomainError && ['unavailable', 'deadline_exceeded', 'resource_exhausted'].includes(error.kind);

/**
 * Repeats work that fails because a service is not up yet, and prints it: at once, then every 15 s.
 * @param what name of the service
 * @throws what the last try failed with, when the time is over or it is not worth waiting
 */
export async function waitUntilDone<T>(
  what: string,
  work: () => Promise<T>,
  { limitMs, say, now = () => performance.now(), pause = () => sleep(STEP_MS) }: Waiting,
  isWorthIt: (error: unknown) => boolean = isNotThereYet,
): Promise<T> {
  const startMs = now();
  let nextSayMs = startMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const waitedMs = now() - startMs;
      if (!isWorthIt(error) || waitedMs >= limitMs) throw error;
      if (now() >= nextSayMs) {
        const reason = errorText(error);
        say(`waiting for ${what} to answer (${Math.round(waitedMs / 1_000)} s) … [${reason}]`);
        nextSayMs = now() + SAY_EVERY_MS;
      }
    }
    await pause();
  }
}
