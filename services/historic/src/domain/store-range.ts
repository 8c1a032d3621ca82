import { MAX_INSTANT_MS, MIN_INSTANT_MS } from '@catchment/time';

/**
 * Times that a record may have: the years in docs/reference/time.md#input-timestamps as far as InfluxDB's 64-bit nanoseconds reach
 * (1677-09-21 to 2262-04-11, docs/adr/0002-storage-layout.md). Unix ms, both inclusive.
 */
export const MIN_RECORD_MS = MIN_INSTANT_MS;
export const MAX_RECORD_MS = Date.UTC(2262, 3, 11) - 1;

export const RECORD_RANGE_RULE = 'must be from 1800-01-01 to before 2262-04-11';

export const isStorable = (ms: number): boolean => ms >= MIN_RECORD_MS && ms <= MAX_RECORD_MS;

/** A query bound, which may be any time of docs/reference/time.md#input-timestamps, moved to where records can be. */
export const clampToStore = (ms: number): number =>
  Math.min(Math.max(ms, MIN_RECORD_MS), Math.min(MAX_INSTANT_MS, MAX_RECORD_MS));
