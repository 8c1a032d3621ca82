import { MAX_INSTANT_MS, MAX_RECORD_MS, MIN_RECORD_MS } from '@catchment/time';

export { MAX_RECORD_MS, MIN_RECORD_MS, RECORD_RANGE_RULE } from '@catchment/time';

export const isStorable = (ms: number): boolean => ms >= MIN_RECORD_MS && ms <= MAX_RECORD_MS;

/** A query bound, which may be any time of docs/reference/time.md#input-timestamps, moved to where records can be. */
export const clampToStore = (ms: number): number =>
  Math.min(Math.max(ms, MIN_RECORD_MS), Math.min(MAX_INSTANT_MS, MAX_RECORD_MS));
