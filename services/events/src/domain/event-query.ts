import { invalid } from '@catchment/errors';
import {
  type AttrSelector,
  argumentReader,
  EVENT_LIST,
  type Filter,
  parseAttr,
  parseFilter,
  parseSort,
  type Sort,
} from '@catchment/query';
import { evaluateOpc, type TimeArgument } from '@catchment/time';

/** The query is for a list (docs/reference/events.md#queries); bounds are Unix ms, both inclusive. */
export type EventQuery = {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly limit: number;
  readonly skip: number;
  readonly filter: Filter;
  /** Empty = by event time. */
  readonly sort: Sort;
  /** undefined = all attributes. */
  readonly attr: AttrSelector | undefined;
};

const LIMIT_WITH_BOUNDS = 10_000;
const LIMIT_WITHOUT_BOUNDS = 1_000;

/**
 * Reads the raw arguments of GET /events and GET /nodes/:id/events.
 * @param nowMs the request's arrival: what relative times are relative to
 * @throws DomainError invalid_argument naming the argument and the rule
 */
export function readEventQuery(given: Readonly<Record<string, string>>, nowMs: number): EventQuery {
  const read = argumentReader(EVENT_LIST, given);
  const startMs = instantOf('startTime', read('startTime'), nowMs);
  const endMs = instantOf('endTime', read('endTime'), nowMs);
  if (startMs !== undefined && endMs !== undefined && startMs > endMs) {
    throw invalid('INVALID_RANGE', 'startTime must not be after endTime');
  }
  const attr = read('attr');
  const hasBounds = startMs !== undefined && endMs !== undefined;
  return {
    startMs,
    endMs,
    limit: read('limit') ?? (hasBounds ? LIMIT_WITH_BOUNDS : LIMIT_WITHOUT_BOUNDS),
    skip: read('skip'),
    filter: parseFilter(read('filter')),
    sort: parseSort(read('sort')),
    attr: attr === '' ? undefined : parseAttr(attr),
  };
}

function instantOf(name: string, argument: TimeArgument | undefined, nowMs: number): number | undefined {
  if (argument === undefined) return undefined;
  return argument.kind === 'instant' ? argument.instantMs : evaluateOpc(argument.expression, { nowMs }, name);
}
