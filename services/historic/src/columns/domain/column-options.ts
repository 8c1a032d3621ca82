import { argumentReader, COLUMN, parseNodeParams, READING_MANY } from '@catchment/query';
import { formatPeriod, type OpcExpression, type OpcPeriod } from '@catchment/time';
import { bad } from '../../series/index.ts';
import { type Aggregate, isPeriodic, type Periodic } from './aggregate-name.ts';

/** Intervals have this layout (docs/reference/aggregates.md#intervals) before the base time is evaluated. */
export type PeriodicOptions = {
  readonly aggregate: Periodic;
  /** Only PERCENTILE has it, 0–100. */
  readonly percentile: number | undefined;
  readonly base: OpcExpression;
  readonly period: OpcPeriod;
  readonly isComplete: boolean;
  /** The header shows the base time as it was given, and the interval as it is written back (docs/reference/time.md#relative-time). */
  readonly shown: { readonly percentile?: number; readonly baseTime: string; readonly interval: string };
};

/**
 * A column may have these arguments for itself (docs/reference/query-arguments.md#params), as far as they can be understood without the
 * node.
 */
export type ColumnOptions = {
  readonly renderType: 'VALUE' | 'STATE' | undefined;
  /** The value undefined stands for the node's format, '' for full resolution. */
  readonly renderFormat: string | undefined;
  readonly isRelative: boolean;
  readonly aggregate: Aggregate;
  /** Present for aggregates other than NONE and CHANGE. */
  readonly periodic: PeriodicOptions | undefined;
  /** The range has this many columns, from which only the outstanding raw records are wanted; undefined = all records. */
  readonly m4Columns: number | undefined;
  /** Errors name this argument. */
  readonly reducedBy: 'reduce' | 'maxPoints' | undefined;
};

type Given = Readonly<Record<string, string>>;
const KEYS = Object.keys(COLUMN) as (keyof typeof COLUMN)[];

/**
 * @throws DomainError invalid_argument naming the argument and its rule (docs/reference/reading.md#order-of-steps,
 * docs/reference/aggregates.md#which-aggregates, docs/reference/reading.md#reduction, docs/reference/formats.md#fewer-points)
 */
export function columnOptions(given: Given, timeQuery: 'RECORD' | 'MODIFIED'): ColumnOptions {
  const read = argumentReader(COLUMN, given);
  const aggregate = read('aggregate');
  if (aggregate !== 'NONE' && timeQuery === 'MODIFIED')
    throw bad('timeQuery', 'MODIFIED needs raw records, without an aggregate');
  const isComplete = read('intervalInclude') === 'COMPLETE';
  return {
    renderType: read('renderType'),
    renderFormat: read('renderFormat'),
    isRelative: read('baselineType') === 'RELATIVE',
    aggregate,
    periodic: isPeriodic(aggregate) ? { ...periodicOptions(given, aggregate), isComplete } : undefined,
    ...reduction(given, aggregate, timeQuery),
  };
}

type Reduction = Pick<ColumnOptions, 'm4Columns' | 'reducedBy'>;

/** M4 keeps at most this many records of a column of pixels. */
const M4_POINTS = 4;

function reduction(given: Given, aggregate: Aggregate, timeQuery: 'RECORD' | 'MODIFIED'): Reduction {
  const read = argumentReader(COLUMN, given);
  const [isReduced, maxPoints] = [read('reduce') !== undefined, read('maxPoints')];
  const reducedBy = maxPoints === undefined ? 'reduce' : 'maxPoints';
  if (!isReduced && maxPoints === undefined) return { m4Columns: undefined, reducedBy: undefined };
  if (isReduced && maxPoints !== undefined) throw bad('maxPoints', 'must not be given with reduce');
  if (aggregate !== 'NONE') throw bad(reducedBy, `${isReduced ? 'M4 is' : 'is'} of raw records, without an aggregate`);
  if (timeQuery === 'MODIFIED') throw bad('timeQuery', `must be RECORD with ${reducedBy}`);
  if (given.limit) throw bad('limit', `must not be given with ${reducedBy}`);
  const m4Columns = maxPoints === undefined ? read('width') : Math.floor(maxPoints / M4_POINTS);
  if (m4Columns === undefined) throw bad('width', 'must be given with reduce, such as 1200');
  return { m4Columns, reducedBy };
}

function periodicOptions(given: Given, aggregate: Periodic): Omit<PeriodicOptions, 'isComplete'> {
  const read = argumentReader(COLUMN, given);
  const base = read('baseTime');
  const period = read('interval');
  if (!base) throw bad('baseTime', `must be given with aggregate ${aggregate}, such as D`);
  if (!period) throw bad('interval', `must be given with aggregate ${aggregate}, such as 1H`);
  const percentile = aggregate === 'PERCENTILE' ? read('percentile') : undefined;
  if (aggregate === 'PERCENTILE' && percentile === undefined)
    throw bad('percentile', `must be given with aggregate ${aggregate}, such as 90`);
  const intervals = { baseTime: (given.baseTime ?? '').trim(), interval: formatPeriod(period) };
  return {
    aggregate,
    percentile,
    base,
    period,
    shown: { ...(percentile !== undefined && { percentile }), ...intervals },
  };
}

/** A read of several nodes has this column, by the reference that the request has sent. */
type NamedColumn = { readonly nodeRef: string; readonly options: ColumnOptions };

/**
 * Returns the columns of argument `params` (docs/reference/query-arguments.md#params); what an entry leaves out, or leaves empty, is
 * as given for all.
 * @throws DomainError invalid_argument
 */
export function namedColumns(given: Given, timeQuery: 'RECORD' | 'MODIFIED'): NamedColumn[] {
  const params = argumentReader(READING_MANY, given)('params');
  if (params === '') throw bad('params', 'must name 1 to 100 nodes');
  return parseNodeParams(params, KEYS).map(({ reference, values }) => {
    const ofColumn = Object.fromEntries(
      Object.entries(values).filter(([key, value]) => value !== '' || key === 'renderFormat'),
    );
    return { nodeRef: reference, options: columnOptions({ ...given, ...ofColumn }, timeQuery) };
  });
}
