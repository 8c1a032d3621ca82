import type { AlarmStore } from './usecases/ports.ts';

const DAY_MS = 86_400_000;
/** The parts of a column follow one another within one publish; those of a write that failed half-way are left over. */
const PARTS_DAYS = 1;

/** Removes what is no longer needed. */
export const sweep = (store: AlarmStore, nowMs: number): Promise<void> =>
  store.purge({ nowMs, partsMs: nowMs - PARTS_DAYS * DAY_MS });
