import { serviceCaller } from '@catchment/access';
import type { AggregateAtChunk, ReadAggregateAtRequest } from '@catchment/contracts/historic';
import { bytesOf, floatsOf } from '@catchment/contracts/packed-numbers';
import { invalid } from '@catchment/errors';
import {
  accumulatorOf,
  aggregatorAt,
  type Figure,
  figureOf,
  intervalsAt,
  lastGoodBefore,
  lineAt,
  passesOf,
  scanSamples,
  type TimesInIntervals,
} from '../../aggregates/index.ts';
import {
  AnswerBudget,
  type Collect,
  type Column,
  columnOptions,
  isOfSeries,
  type Outcome,
  type Periodic,
  queryOptions,
  resultOf,
  type Sample,
  viewOf,
} from '../../columns/index.ts';
import { boundsOf, RecordSet, withinTime } from '../../records/index.ts';
import { clampToStore, isStorable, keyOf, MAX_RECORD_MS, MIN_RECORD_MS, seriesOf } from '../../series/index.ts';
import { recordChunks } from '../domain/record-chunks.ts';
import { type ReadCall, type ReadDeps, requesterOf } from './read-deps.ts';
import { enterReading } from './reading-queues.ts';
import { withShownQuality } from './shown-quality.ts';

const MAX_TIMES = 10_000;

/**
 * Reads an aggregate at given times, for inputs of programs (docs/reference/processing-and-ratings.md#program-runs). Values are
 * transformed, never states.
 * @throws DomainError permission_denied for callers other than services, not_found, invalid_argument, too_large
 */
export async function* readAggregateAt(
  deps: ReadDeps,
  request: ReadAggregateAtRequest,
  call: ReadCall,
): AsyncGenerator<AggregateAtChunk> {
  serviceCaller(call.caller);
  const times = timesOf(request);
  const given = argumentsOf(request);
  const { zone, ...query } = queryOptions(given, deps.now());
  const options = columnOptions(given, 'RECORD');
  const { periodic } = options;
  if (!periodic || periodic.aggregate === 'INTERPOLATED')
    throw invalid('INVALID_ARGUMENT', `aggregate: must be of intervals, not ${options.aggregate}`);
  const figure = figureOf(periodic);
  const node = seriesOf(
    await deps.catalogue.resolve(request.nodeId, requesterOf(call, request.ownerId)),
    'an aggregate',
  );
  const column = { node, options, view: viewOf(node, { ...options, zone }) };
  const leave = await enterReading(deps.queueOf, { nodes: [node], kind: 'series' }, call.signal);
  try {
    const quality = await deps.qualityOf(node.ownerId);
    const reader = withShownQuality(deps.reader, quality);
    const excluded = query.excluded ?? quality.excluded;
    const from = { reader, node, excluded, quality, budget: new AnswerBudget(deps.limits) };
    const { newestMs, placed, results } = await withinTime(deps.maxMs, call.signal, async (signal) => {
      // The end of the log is asked for first: what it says is complete has been read afterwards.
      const newestMs = await newestTime({ ...from, signal }, column);
      const edges = isOfSeries(periodic.base) ? await boundsOf(reader, keyOf(node), signal) : {};
      const placed = intervalsAt({ ...periodic, zone, edges }, times);
      const results = new RecordSet(column.view.valueType);
      const emit = (outcome: Outcome) => from.budget.add(results, resultOf(0, withSystemCode(outcome, from)));
      const visiting = { column, figure, isWhole: request.wholeIntervals, emit };
      for (const pass of passesOf(placed)) await visit({ ...from, signal }, visiting, pass);
      return { newestMs, placed, results };
    });
    yield* chunksOf(results, placed, newestMs);
  } finally {
    leave();
  }
}

function timesOf({ times: bytes }: ReadAggregateAtRequest): Float64Array {
  const times = floatsOf(bytes);
  if (times.length > MAX_TIMES) throw invalid('INVALID_ARGUMENT', `times: must be at most ${MAX_TIMES}`);
  if (!times.every((time, n) => isStorable(time) && time >= (times[n - 1] ?? time)))
    throw invalid('INVALID_ARGUMENT', 'times: must be ascending, from 1800-01-01 to before 2262-04-11');
  return times;
}

const argumentsOf = (request: ReadAggregateAtRequest): Record<string, string> => ({
  renderType: 'VALUE',
  aggregate: request.aggregate,
  baseTime: request.baseTime,
  interval: request.interval,
  percentile: request.percentile,
  ...(request.timezone !== '' && { timezone: request.timezone }),
  timezoneAdjustForDst: request.timezoneAdjustForDst ? 'TRUE' : 'FALSE',
  ...(request.qualityExcluded !== undefined && { qualityExcluded: request.qualityExcluded }),
});

/** All qualities of intervals are system codes, which an account may have renumbered. */
const withSystemCode = (outcome: Outcome, { quality }: Pick<Collect, 'quality'>): Outcome => ({
  ...outcome,
  quality: outcome.quality === undefined ? undefined : quality.system(outcome.quality),
});

type Visiting = {
  readonly column: Column;
  readonly figure: Figure<Periodic>;
  readonly isWhole: boolean;
  readonly emit: (outcome: Outcome) => void;
};

/** Visits the samples of a pass, oldest first. */
async function visit(
  from: Collect,
  { column, figure, isWhole, emit }: Visiting,
  pass: TimesInIntervals,
): Promise<void> {
  const [first, last] = [pass[0], pass.at(-1)];
  if (!first || !last) return;
  const { aggregate, percentile } = figure;
  const intervals = { fromMs: first.interval.startMs, toMs: last.interval.endMs - 1 };
  const scan = (push: (sample: Sample) => void, { fromMs, toMs } = intervals) => {
    const range = { fromMs: clampToStore(fromMs), toMs: clampToStore(isWhole ? toMs : last.timeMs) };
    return scanSamples(from, column, { ...range, order: 'ascending', limit: undefined }, push);
  };
  if (aggregate === 'TIME_WEIGHTED_MEAN') {
    const line = lineAt(pass, isWhole, emit);
    await scan(line.push, line.reach);
    line.finish();
    return;
  }
  if (aggregate === 'INTERPOLATED') return;
  const accumulator = accumulatorOf({ aggregate, percentile }, from.budget.limits.maxRecords);
  const skip = accumulator.pass?.bind(accumulator);
  if (skip) await lastGoodBefore(from, column, first.interval.startMs, skip);
  const aggregator = aggregatorAt(pass, isWhole, accumulator, emit);
  await scan(aggregator.push);
  aggregator.finish();
}

async function newestTime(from: Collect, column: Column): Promise<number | undefined> {
  let newestMs: number | undefined;
  const everything = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS, order: 'descending', limit: 1 } as const;
  await scanSamples(from, column, everything, ({ timeMs }) => {
    newestMs = timeMs;
    return false;
  });
  return newestMs;
}

function* chunksOf(
  results: RecordSet,
  placed: TimesInIntervals,
  newestMs: number | undefined,
): Generator<AggregateAtChunk> {
  let isFirst = true;
  for (const { from, to, values } of recordChunks(results)) {
    const intervals = placed.slice(from, to).map(({ interval }) => interval);
    yield {
      ...values,
      starts: bytesOf(Float64Array.from(intervals, ({ startMs }) => startMs)),
      ends: bytesOf(Float64Array.from(intervals, ({ endMs }) => endMs)),
      newestMs: isFirst ? newestMs : undefined,
    };
    isFirst = false;
  }
}
