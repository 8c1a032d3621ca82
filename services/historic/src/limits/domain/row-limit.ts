import type { RowCounts } from './source-days.ts';

/** Every request is counted in Postgres from this share of a limit on. */
const NEAR = 0.8;
/**
 * A replica counts no more than this share of a limit by itself: what all of them may be over when they all fill a source
 * within the same second.
 */
const ALONE = 0.05;
/** Counts of other replicas are read again after this time, the sooner the nearer the limit. */
const TRUST = [
  { below: 0.2, forMs: 60_000 },
  { below: 0.5, forMs: 10_000 },
  { below: NEAR, forMs: 1_000 },
] as const;

/** Returns how long counts of other replicas can be trusted, ms; undefined near the limit, where each request is counted in Postgres. */
export function trustMs({ acquired, stored }: RowCounts, limit: number): number | undefined {
  const share = Math.max(acquired, stored) / limit;
  return TRUST.find(({ below }) => share < below)?.forMs;
}

/**
 * Returns whether a count comes near a limit, or a replica has counted much of it by itself.
 * @param known the count of all replicas
 * @param alone what this replica adds to it
 */
export const isNearLimit = (known: number, alone: number, limit: number): boolean =>
  known + alone > limit * NEAR || alone > limit * ALONE;

export type StorableRows = { readonly added: Float64Array; readonly refused: Float64Array };

/**
 * Divides the rows of a day: new rows are stored up to the limit, rows that replace others take no room.
 * @param existing times that the source has on the day; undefined: unknown, so that all rows count as new
 * @param stored rows of the day that are stored already
 */
export function storableRows(
  rows: Float64Array,
  existing: ReadonlySet<number> | undefined,
  stored: number,
  limit: number,
): StorableRows {
  const fresh = existing ? rows.filter((time) => !existing.has(time)) : rows;
  const room = Math.max(0, limit - stored);
  return { added: fresh.subarray(0, room), refused: fresh.subarray(room) };
}
