import { type AGGREGATES, AGGREGATES_OF_ANYTHING } from '@catchment/query';

/** See docs/reference/aggregates.md#which-aggregates. */
export type Aggregate = (typeof AGGREGATES)[number];

/** These aggregates have one result per interval, or per boundary of intervals; they need baseTime and interval. */
export type Periodic = Exclude<Aggregate, 'NONE' | 'CHANGE'>;

export const isPeriodic = (aggregate: Aggregate): aggregate is Periodic =>
  aggregate !== 'NONE' && aggregate !== 'CHANGE';

const OF_ANYTHING: ReadonlySet<Aggregate> = new Set(['NONE', ...AGGREGATES_OF_ANYTHING]);

/** Others than these are of numbers shown as VALUE only. */
export const suitsAnything = (aggregate: Aggregate): boolean => OF_ANYTHING.has(aggregate);
