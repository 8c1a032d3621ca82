import { isAlarmOn, type Node } from './node.ts';

/** Says when a source is next looked at for its outdatedAlarm, and what the last look found. */
export type OutdatedCheck = {
  readonly nodeId: string;
  readonly quietMaxMs: number;
  /** Unix ms. */
  readonly dueMs: number;
  /** Reference time of the last look, where it found the source outdated; null: it was fresh. */
  readonly outdatedSinceMs: number | null;
  /** Time from the last look at an outdated source to the next one. */
  readonly waitMs: number;
};

/** A look has found something new. */
export type OutdatedNews = { readonly isOutdated: boolean; readonly quietMs: number };

/** A source that may be outdated for another reason is looked at again after this time. */
export const RETRY_MS = 30_000;
/** An outdated source is looked at soon after something came, and then less and less often. */
const WAIT_MS = { min: 5_000, max: 86_400_000 };

/** Returns whether a source is looked at at all (docs/reference/alarms.md#outdated-data). */
export const isWatched = (node: Node): boolean => node.isEnabled === true && isAlarmOn(node, 'outdatedAlarm');

/**
 * Looks at a source (docs/reference/alarms.md#outdated-data). A fresh one is looked at again when it would be outdated.
 * @param referenceMs undefined: it is not to be judged now
 */
export function look(
  check: OutdatedCheck,
  referenceMs: number | undefined,
  nowMs: number,
): { readonly check: OutdatedCheck; readonly news?: OutdatedNews } {
  const { quietMaxMs, outdatedSinceMs } = check;
  if (referenceMs === undefined) return { check: { ...check, dueMs: nowMs + quietMaxMs } };
  // A time in the future counts as now.
  const reference = Math.min(referenceMs, nowMs);
  if (nowMs - reference <= quietMaxMs) {
    const fresh = { ...check, dueMs: reference + quietMaxMs + 1, outdatedSinceMs: null, waitMs: 0 };
    if (outdatedSinceMs === null) return { check: fresh };
    return { check: fresh, news: { isOutdated: false, quietMs: nowMs - outdatedSinceMs } };
  }
  const waitMs = Math.min(Math.max(2 * check.waitMs, WAIT_MS.min), WAIT_MS.max);
  const outdated = { ...check, dueMs: nowMs + waitMs, outdatedSinceMs: reference, waitMs };
  // An alarm that was cleared by hand is raised again only when something has come in between.
  if (outdatedSinceMs !== null && reference <= outdatedSinceMs) return { check: outdated };
  return { check: outdated, news: { isOutdated: true, quietMs: nowMs - reference } };
}
