import { invalid } from '@catchment/errors';
import { clampToStore, MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/index.ts';

/** A query was given these bounds; Unix ms, both inclusive. */
export type GivenRange = {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly limit: number | undefined;
};

/** The rows to fetch: the first `limit` rows (all when undefined) in this direction. */
export type FetchPlan = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: 'ascending' | 'descending';
  readonly limit: number | undefined;
};

/**
 * The table in docs/reference/reading.md#range-and-limit.
 * @throws DomainError invalid_argument
 */
export function planRange({ startMs, endMs, limit }: GivenRange): FetchPlan {
  if (limit === undefined && (startMs === undefined || endMs === undefined)) {
    const missing = startMs === undefined ? 'startTime' : 'endTime';
    throw invalid('RANGE_INCOMPLETE', `${missing}: must be given when there is no limit`);
  }
  if (startMs !== undefined && endMs !== undefined && startMs > endMs)
    throw invalid('RANGE_REVERSED', 'startTime: must not be after endTime');
  return {
    fromMs: startMs === undefined ? MIN_RECORD_MS : startMs > MAX_RECORD_MS ? MAX_RECORD_MS + 1 : clampToStore(startMs),
    toMs: endMs === undefined ? MAX_RECORD_MS : clampToStore(endMs),
    order: startMs === undefined ? 'descending' : 'ascending',
    limit,
  };
}
