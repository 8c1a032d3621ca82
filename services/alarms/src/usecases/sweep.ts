import type { AlarmStore } from './ports.ts';

const DAY_MS = 86_400_000;
/**
 * The parts of a column follow one another within one publish: those of a write that failed half-way are left over. So are
 * verdicts on columns that the log's reader has come to long ago, but knew of no states for.
 */
const LEFT_OVER_DAYS = 1;

/** Removes what is no longer needed. */
export const sweep = (store: AlarmStore, nowMs: number): Promise<void> =>
  store.purge({ nowMs, leftOverMs: nowMs - LEFT_OVER_DAYS * DAY_MS });
