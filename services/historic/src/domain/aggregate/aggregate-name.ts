export const AGGREGATES = [
  'NONE',
  'CHANGE',
  'INTERPOLATED',
  'AVERAGE',
  'MEDIAN',
  'TOTAL',
  'MIN',
  'MAX',
  'RANGE',
  'DELTA',
  'COUNT',
  'START',
  'END',
] as const;
/** See docs/reference/aggregates.md#which-aggregates. */
export type Aggregate = (typeof AGGREGATES)[number];

/** Those with one result per interval, or per boundary of intervals; they need baseTime and interval. */
export type Periodic = Exclude<Aggregate, 'NONE' | 'CHANGE'>;

const SYNONYMS = { MINIMUM: 'MIN', MAXIMUM: 'MAX' } as const;
type Synonym = keyof typeof SYNONYMS;
/** What an argument may say. */
export const AGGREGATE_WORDS = [...AGGREGATES, 'MINIMUM', 'MAXIMUM'] as const;

export const aggregateOf = (word: (typeof AGGREGATE_WORDS)[number]): Aggregate =>
  isSynonym(word) ? SYNONYMS[word] : word;

const isSynonym = (word: string): word is Synonym => Object.hasOwn(SYNONYMS, word);

export const isPeriodic = (aggregate: Aggregate): aggregate is Periodic =>
  aggregate !== 'NONE' && aggregate !== 'CHANGE';

const OF_ANYTHING: ReadonlySet<Aggregate> = new Set(['NONE', 'CHANGE', 'START', 'END', 'COUNT']);

/** Others than these are of numbers shown as VALUE only. */
export const suitsAnything = (aggregate: Aggregate): boolean => OF_ANYTHING.has(aggregate);
