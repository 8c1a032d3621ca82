import type { AlarmStore } from './ports.ts';

const DAY_MS = 86_400_000;
/** The bus keeps domain messages for a week: after this time nothing of a deleted node can come any more. */
const DELETED_DAYS = 30;
/** The parts of a column follow one another within one publish; those of a write that failed half-way are left over. */
const PARTS_DAYS = 1;
/** The log's reader has come to the column long ago, unless it knows of no states. */
const VERDICTS_DAYS = 1;

/** Removes what is no longer needed. */
export const sweep = (store: AlarmStore, nowMs: number): Promise<void> =>
  store.purge({
    deletedMs: nowMs - DELETED_DAYS * DAY_MS,
    partsMs: nowMs - PARTS_DAYS * DAY_MS,
    verdictsMs: nowMs - VERDICTS_DAYS * DAY_MS,
  });
