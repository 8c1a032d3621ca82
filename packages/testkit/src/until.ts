import { setTimeout as delay } from 'node:timers/promises';

/** Ends a wait for what never comes, on a busy machine too; no test promises a time by it. */
export const HANGS_AFTER_MS = 240_000;

const SHORTEST_PAUSE_MS = 25;
/** A look takes a part of the processor from what it waits for. */
const LONGEST_PAUSE_MS = 100;
/** Share of the time waited so far: a longer wait is noticed hardly any later for the pause. */
const PAUSE_SHARE = 0.1;

export type UntilOptions = {
  /** A shorter wait, for what may not come; default `HANGS_AFTER_MS`. */
  deadlineMs?: number;
  /** Two looks are this far apart; 25 by default, growing to 100 in the course of a longer wait. */
  everyMs?: number;
  /** The message names the condition so. */
  what?: string;
};

/**
 * Looks again and again until `condition` gives something truthy, and returns that. A condition that throws counts as
 * not yet held, so `expect` may be used in it (return true after it).
 * @throws Error naming the condition and the last value
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<NonNullable<T>, false | 0 | ''>> {
  const { deadlineMs = HANGS_AFTER_MS, everyMs, what = String(condition) } = options;
  const began = performance.now();
  const deadline = began + deadlineMs;
  for (;;) {
    const { value, error } = await look(condition);
    if (value) return value as Exclude<NonNullable<T>, false | 0 | ''>;
    if (performance.now() >= deadline) {
      const last = error === undefined ? `it gave ${String(value)}` : `it threw: ${String(error)}`;
      throw new Error(`not within ${deadlineMs} ms: ${what}\nat the last look ${last}`, { cause: error });
    }
    await delay(everyMs ?? pauseAfter(performance.now() - began));
  }
}

/** Returns how long the next pause of a wait is. */
export const pauseAfter = (waitedMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs * PAUSE_SHARE));

async function look<T>(condition: () => T | Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}
