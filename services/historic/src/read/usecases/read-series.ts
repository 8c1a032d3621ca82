import type { ReadSeriesRequest, SeriesChunk } from '@catchment/contracts/historic';
import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { bytesOf } from '@catchment/contracts/packed-numbers';
import { transformOf } from '@catchment/equation';
import { invalid } from '@catchment/errors';
import {
  AnswerBudget,
  type Collect,
  type Column,
  type ColumnQuery,
  collectRecords,
  columnOptions,
  queryOptions,
  viewOf,
} from '../../columns/index.ts';
import { collectM4, type Outlined } from '../../outlines/index.ts';
import { type FetchPlan, type RecordSet, type StoredRecord, withinTime } from '../../records/index.ts';
import { clampToStore, MAX_RECORD_MS, MIN_RECORD_MS, type SeriesNode, seriesOf } from '../../series/index.ts';
import { recordChunks } from '../domain/record-chunks.ts';
import { type ColumnCollect, collectColumn } from './collect-aggregate.ts';
import { type ReadCall, type ReadDeps, requesterOf } from './read-deps.ts';
import { enterReading, keptShare } from './reading-queues.ts';
import { withShownQuality } from './shown-quality.ts';

/** Bad - No Bounds: the record was taken from outside the range (docs/reference/quality.md#quality-codes, docs/reference/reading.md#bounding-records). */
const NO_BOUNDS = 156;

/** Yields the records of a series, or the results of an aggregate, as columns, for charts and other services. */
export async function* readSeries(
  deps: ReadDeps,
  request: ReadSeriesRequest,
  call: ReadCall,
): AsyncGenerator<SeriesChunk> {
  const { startMs, endMs } = request;
  if (startMs !== undefined && endMs !== undefined && startMs > endMs)
    throw invalid('RANGE_REVERSED', 'startMs: must not be after endMs');
  const nowMs = request.arrivalMs || deps.now();
  const { zone, ...query } = queryOptions(request.arguments, nowMs);
  const options = columnOptions(request.arguments, 'RECORD');
  if (options.aggregate !== 'NONE' && request.bounding)
    throw invalid('BOUNDING_AGGREGATE', 'bounding: is of records, without an aggregate');
  if (options.m4Columns !== undefined && (startMs === undefined || endMs === undefined || request.limit > 0))
    throw invalid('RANGE_INCOMPLETE', 'reduce: needs startMs and endMs, without limit');
  const requester = requesterOf(call, request.ownerId);
  const resolved = await deps.catalogue.resolve(request.nodeRef, requester);
  const node = seriesOf(resolved, 'reading historic data');
  const column = { node, options, view: viewOf(node, { ...options, zone }) };
  const asked = { nodes: [node], kind: 'series', limit: request.limit, startMs, endMs } as const;
  const leave = await enterReading(deps.queueOf, asked, call.signal);
  try {
    const quality = await deps.qualityOf(node.ownerId);
    const reader = request.storedQuality ? deps.reader : withShownQuality(deps.reader, quality);
    const excluded = query.excluded ?? quality.excluded;
    const { summaries, outlines } = deps;
    const from = { reader, summaries, outlines, node, excluded, quality, budget: new AnswerBudget(deps.limits) };
    const found = await withinTime(deps.maxMs, call.signal, (signal) =>
      fetch({ ...from, signal }, column, request, { nowMs, zone }),
    );
    leave(keptShare(found.records.count, deps.limits.maxRecords));
    yield* chunksOf(found, node, request.transformed && options.aggregate === 'NONE');
  } finally {
    leave();
  }
}

async function fetch(
  from: ColumnCollect,
  column: Column,
  request: ReadSeriesRequest,
  { nowMs, zone }: Pick<ColumnQuery, 'nowMs' | 'zone'>,
): Promise<Outlined> {
  const { startMs, endMs, limit, bounding, wholeUpTo } = request;
  if (column.options.aggregate !== 'NONE') {
    const bounds = { startMs, endMs: endMs ?? (limit === 0 ? nowMs : undefined) };
    const records = await collectColumn(from, column, { bounds, limit: limit || undefined, nowMs, zone });
    return { records, isWhole: false };
  }
  const { m4Columns } = column.options;
  const plan: FetchPlan = {
    fromMs: startMs === undefined ? MIN_RECORD_MS : Math.min(Math.max(startMs, MIN_RECORD_MS), MAX_RECORD_MS + 1),
    toMs: endMs === undefined ? MAX_RECORD_MS : clampToStore(endMs),
    order: startMs === undefined && limit > 0 ? 'descending' : 'ascending',
    limit: limit || undefined,
  };
  const found =
    m4Columns === undefined
      ? { records: await collectRecords(from, plan), isWhole: false }
      : await collectM4(from, column, { count: m4Columns, ...(wholeUpTo && { wholeUpTo }) }, { startMs, endMs });
  if (!bounding) return found;
  const before =
    plan.fromMs === MIN_RECORD_MS
      ? undefined
      : await nearest(from, {
          fromMs: MIN_RECORD_MS,
          toMs: clampToStore(plan.fromMs - 1),
          order: 'descending',
          limit: 1,
        });
  const after = await nearest(from, { fromMs: plan.toMs + 1, toMs: MAX_RECORD_MS, order: 'ascending', limit: 1 });
  return { ...found, records: withBounds(found.records, before, after) };
}

async function nearest(
  { reader, node, excluded, quality, signal }: Collect,
  plan: FetchPlan,
): Promise<StoredRecord | undefined> {
  let found: StoredRecord | undefined;
  await reader.scan({ nodeId: node.nodeId, valueType: node.series.valueType }, plan, signal, (record) => {
    if (excluded.has(quality.typeOf(record.quality))) return true;
    found = { ...record, quality: quality.system(NO_BOUNDS) };
    return false;
  });
  return found;
}

function withBounds(records: RecordSet, before: StoredRecord | undefined, after: StoredRecord | undefined): RecordSet {
  if (after) records.add(after);
  if (!before) return records;
  const all = records.select([]);
  all.add(before);
  for (let index = 0; index < records.count; index += 1) all.add(records.at(index));
  return all;
}

function* chunksOf({ records, isWhole }: Outlined, node: SeriesNode, isTransformed: boolean): Generator<SeriesChunk> {
  const { series } = node;
  const { valueType } = records;
  if (isTransformed && valueType === ValueType.VALUE_TYPE_NUMBER) transform(records, series);
  let first: NodeConfig | undefined = node;
  for (const { from, to, values } of recordChunks(records)) {
    yield {
      node: first,
      valueType: first ? valueType : ValueType.VALUE_TYPE_UNSPECIFIED,
      timestamps: bytesOf(records.times.subarray(from, to)),
      ...values,
      ...(first && isWhole && { isWhole }),
    };
    first = undefined;
  }
}

function transform(records: RecordSet, series: SeriesNode['series']): void {
  const { isIdentity, apply } = transformOf(series);
  if (isIdentity) return;
  for (let index = 0; index < records.count; index += 1)
    records.numbers[index] = apply(records.numbers[index] ?? Number.NaN);
}
