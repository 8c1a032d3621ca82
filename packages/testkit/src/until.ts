import { setTimeout as delay } from 'node:timers/promises';

/** Ends a wait for what never comes, on a busy machine too; no test promises a time by it. */
export const HANGS_AFTER_MS = 120_000;

export type UntilOptions = {
  /** A shorter wait, for what may not come; default `HANGS_AFTER_MS`. */
  deadlineMs?: number;
  /** Between two looks; default 25. */
  everyMs?: number;
  /** Name of the condition, for the message. */
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
  const { deadlineMs = HANGS_AFTER_MS, everyMs = 25, what = String(condition) } = options;
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const { value, error } = await look(condition);
    if (value) return value as Exclude<NonNullable<T>, false | 0 | ''>;
    if (performance.now() >= deadline) {
      const last = error === undefined ? `it gave ${String(value)}` : `it threw: ${String(error)}`;
      throw new Error(`not within ${deadlineMs} ms: ${what}\nat the last look ${last}`, { cause: error });
    }
    await delay(everyMs);
  }
}

async function look<T>(condition: () => T | Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}
