import { type ArgumentReader, parseNodeParams, readArguments } from '@catchment/query';
import { formatPeriod, type OpcExpression, type OpcPeriod } from '@catchment/time';
import { AGGREGATE_WORDS, type Aggregate, aggregateOf, isPeriodic, type Periodic } from './aggregate/aggregate-name.ts';
import { atMost, bad, MAX_FORMAT } from './argument-rules.ts';

/** How intervals are laid out (docs/reference/aggregates.md#intervals), before the base time is evaluated. */
export type PeriodicOptions = {
  readonly aggregate: Periodic;
  readonly base: OpcExpression;
  readonly period: OpcPeriod;
  readonly isComplete: boolean;
  /** As shown in a header: the base time as given, the interval as it is written back (docs/reference/time.md#relative-time). */
  readonly shown: { readonly baseTime: string; readonly interval: string };
};

/**
 * The arguments that a column may have of its own (docs/reference/query-arguments.md#params), as far as they can be
 * understood without the node.
 */
export type ColumnOptions = {
  readonly renderType: 'VALUE' | 'STATE' | undefined;
  /** undefined = the node's format; '' = full resolution. */
  readonly renderFormat: string | undefined;
  readonly isRelative: boolean;
  readonly aggregate: Aggregate;
  /** Present for aggregates other than NONE and CHANGE. */
  readonly periodic: PeriodicOptions | undefined;
};

const KEYS = [
  'renderType',
  'renderFormat',
  'aggregate',
  'baseTime',
  'interval',
  'intervalInclude',
  'baselineType',
] as const;

/**
 * @throws DomainError invalid_argument naming the argument and its rule (docs/reference/reading.md#order-of-steps,
 * docs/reference/aggregates.md#which-aggregates)
 */
export function columnOptions(read: ArgumentReader, timeQuery: 'RECORD' | 'MODIFIED'): ColumnOptions {
  const aggregate = aggregateOf(read.oneOf('aggregate', AGGREGATE_WORDS) ?? 'NONE');
  if (aggregate !== 'NONE' && timeQuery === 'MODIFIED')
    throw bad('timeQuery', 'MODIFIED needs raw records, without an aggregate');
  const isComplete = read.oneOf('intervalInclude', ['PARTIAL', 'COMPLETE']) === 'COMPLETE';
  return {
    renderType: read.oneOf('renderType', ['VALUE', 'STATE']),
    renderFormat: atMost('renderFormat', read.textOrEmpty('renderFormat'), MAX_FORMAT),
    isRelative: read.oneOf('baselineType', ['ABSOLUTE', 'RELATIVE']) === 'RELATIVE',
    aggregate,
    periodic: isPeriodic(aggregate) ? { ...periodicOptions(read, aggregate), isComplete } : undefined,
  };
}

function periodicOptions(read: ArgumentReader, aggregate: Periodic): Omit<PeriodicOptions, 'isComplete'> {
  const base = read.relativeTime('baseTime');
  const period = read.period('interval');
  if (!base) throw bad('baseTime', `must be given with aggregate ${aggregate}, such as D`);
  if (!period) throw bad('interval', `must be given with aggregate ${aggregate}, such as 1H`);
  return {
    aggregate,
    base,
    period,
    shown: { baseTime: (read.text('baseTime') ?? '').trim(), interval: formatPeriod(period) },
  };
}

/** A column of a read of several nodes, as the request has sent its reference. */
export type NamedColumn = { readonly nodeRef: string; readonly options: ColumnOptions };

/**
 * The columns of argument `params` (docs/reference/query-arguments.md#params); what an entry leaves out, or leaves empty, is
 * as given for all.
 * @throws DomainError invalid_argument
 */
export function namedColumns(given: Readonly<Record<string, string>>, timeQuery: 'RECORD' | 'MODIFIED'): NamedColumn[] {
  const params = readArguments(given).text('params');
  if (params === undefined) throw bad('params', 'must name 1 to 100 nodes');
  return parseNodeParams(params, KEYS).map(({ reference, values }) => {
    const own = Object.fromEntries(
      Object.entries(values).filter(([key, value]) => value !== '' || key === 'renderFormat'),
    );
    return {
      nodeRef: reference,
      options: columnOptions(readArguments({ ...given, ...own }), timeQuery),
    };
  });
}
