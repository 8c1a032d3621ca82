import { ValueType } from '@catchment/contracts/nodes';
import { FLAG, type TimeRange } from '@catchment/ingest-log';
import {
  type InfluxConnection,
  inChunks,
  inTime,
  MEASUREMENT,
  ofAnySeries,
  RUNS,
  rowsOf,
  select,
  seriesOf,
  whole,
} from '../../influx/index.ts';
import type { StoredColumn } from '../domain/plan-write.ts';

import { type Run, runLine } from './line-protocol.ts';
import type { NewestTimes } from './newest-times.ts';

/** Below this many records the presence fields cost InfluxDB less than the question and the run. */
export const LEAST_RUN = 100;
const SERIES_PER_STATEMENT = 100;
const CHUNK_ROWS = 10_000;
const CHUNKS = inChunks(CHUNK_ROWS);

/**
 * Returns the columns that lie behind all that their series have, and are nothing but numbers: their records replace nothing, so they need
 * no presence fields (docs/adr/0002-storage-layout.md). Columns of a series are in their order of writing.
 */
export async function appendedAmong(
  influx: InfluxConnection,
  columns: readonly StoredColumn[],
  { leastRun, times }: { readonly leastRun: number; readonly times: NewestTimes },
  signal: AbortSignal,
): Promise<ReadonlySet<StoredColumn>> {
  const isCandidate = (column: StoredColumn) => column.timestamps.length >= leastRun && isNumbersAlone(column);
  const newest = await newestOf(influx, columns.filter(isCandidate), times, signal);
  const appended = new Set<StoredColumn>();
  for (const column of columns) {
    const { nodeId, timestamps } = column;
    const lastMs = timestamps.at(-1);
    if (lastMs === undefined) continue;
    const newestMs = newest.get(nodeId) ?? Number.NEGATIVE_INFINITY;
    if (firstOf(timestamps) > newestMs && isCandidate(column)) appended.add(column);
    newest.set(nodeId, Math.max(newestMs, lastMs));
    times.raise(nodeId, lastMs);
  }
  return appended;
}

const isNumbersAlone = ({ valueType, flags, kept }: StoredColumn): boolean =>
  valueType === ValueType.VALUE_TYPE_NUMBER && !kept && flags.length === 1 && flags[0] === FLAG.value;

const firstOf = (timestamps: Float64Array): number => timestamps[0] ?? Number.POSITIVE_INFINITY;

/** Returns a time for the series of columns that is not before any of their records, live or deleted. */
async function newestOf(
  influx: InfluxConnection,
  columns: readonly StoredColumn[],
  times: NewestTimes,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  if (columns.length === 0) return newest;
  await times.confirm();
  const unknown = new Set<string>();
  let fromMs = Number.POSITIVE_INFINITY;
  for (const { nodeId, timestamps } of columns) {
    const timeMs = times.get(nodeId);
    if (timeMs !== undefined) newest.set(nodeId, timeMs);
    else {
      unknown.add(nodeId);
      fromMs = Math.min(fromMs, firstOf(timestamps));
    }
  }
  if (unknown.size === 0) return newest;
  const ids = [...unknown];
  const learn = times.asking(ids);
  const found = await newestSince(influx, ids, fromMs, signal);
  for (const nodeId of ids) newest.set(nodeId, found.get(nodeId) ?? fromMs - 1);
  learn(newest);
  return newest;
}

/** Returns the time of the newest record of each series, live or deleted, as far as there is one since a time. */
async function newestSince(
  influx: InfluxConnection,
  nodeIds: readonly string[],
  fromMs: number,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  for (let at = 0; at < nodeIds.length; at += SERIES_PER_STATEMENT) {
    const ids = nodeIds.slice(at, at + SERIES_PER_STATEMENT);
    const statement =
      `SELECT "p", "v" FROM "${MEASUREMENT}" WHERE ${ofAnySeries(ids)} AND time >= ${whole(fromMs)}ms` +
      ' GROUP BY "s" ORDER BY time DESC LIMIT 1';
    for await (const chunk of seriesOf(influx.query(statement, CHUNKS, signal)))
      for (const { tags, values } of chunk) if (tags?.s && values?.[0]) newest.set(tags.s, Number(values[0][0]));
  }
  return newest;
}

/** This part of a series holds records of runs; `modifiedAt` answers when a record without presence field was written. */
export type Span = TimeRange & { readonly modifiedAt: (timeMs: number) => number };

/** Returns the spans of a series in which runs lie that were written within a time: ascending, apart from each other. */
export async function spansModified(
  influx: InfluxConnection,
  nodeId: string,
  modified: TimeRange,
  within: TimeRange,
  signal: AbortSignal,
): Promise<Span[]> {
  const wanted = await runsOf(
    influx,
    nodeId,
    `"m" >= ${whole(modified.fromMs)} AND "m" <= ${whole(modified.toMs)} AND "e" >= ${whole(within.fromMs)} AND time <= ${whole(within.toMs)}ms`,
    signal,
  );
  const [first] = wanted;
  if (!first) return [];
  const endMs = wanted.reduce((max, { toMs }) => Math.max(max, toMs), first.toMs);
  const runs = apart(
    await runsOf(influx, nodeId, `"e" >= ${whole(first.fromMs)} AND time <= ${whole(endMs)}ms`, signal),
  );
  const isWanted = ({ modifiedMs }: Run) => modifiedMs >= modified.fromMs && modifiedMs <= modified.toMs;
  const spans: Span[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    if (!isWanted(runs[at] as Run)) continue;
    const joined = [runs[at] as Run];
    for (let next = runs[at + 1]; next && isWanted(next); next = runs[at + 1]) {
      joined.push(next);
      at += 1;
    }
    const fromMs = Math.max(joined[0]?.fromMs ?? 0, within.fromMs);
    const toMs = Math.min(joined.at(-1)?.toMs ?? 0, within.toMs);
    if (fromMs <= toMs) spans.push({ fromMs, toMs, modifiedAt: lookup(joined) });
  }
  return spans;
}

/** Is called before records of a range are deleted: what remains of a run that begins in the range then begins behind it. */
export async function keepRunBehind(
  influx: InfluxConnection,
  nodeId: string,
  { fromMs, toMs }: TimeRange,
  signal: AbortSignal,
): Promise<void> {
  const until = whole(toMs) + 1;
  const runs = await runsOf(influx, nodeId, inTime({ fromMs, toMs: until }), signal);
  const last = apart(runs).at(-1);
  if (!last || last.fromMs === until || last.toMs < until) return;
  await influx.write(runLine(nodeId, { ...last, fromMs: until }), signal);
}

async function runsOf(
  influx: InfluxConnection,
  nodeId: string,
  condition: string,
  signal: AbortSignal,
): Promise<Run[]> {
  const statement = `${select(nodeId, ['e', 'm'], RUNS)} AND ${condition} ORDER BY time ASC`;
  const runs: Run[] = [];
  for await (const chunk of rowsOf(influx.query(statement, CHUNKS, signal)))
    for (const [time, end, modified] of chunk)
      runs.push({ fromMs: Number(time), toMs: Number(end), modifiedMs: Number(modified) });
  return runs;
}

/**
 * Separates runs that overlap. The rest of a run whose series was cleared in a range may lie among records of a later run. The records
 * there belong to the later run, which found no record behind its first.
 */
function apart(runs: readonly Run[]): Run[] {
  const apart: Run[] = [];
  for (const run of runs) {
    const before = apart.at(-1);
    if (before && run.fromMs <= before.toMs) {
      if (run.modifiedMs <= before.modifiedMs) continue;
      apart[apart.length - 1] = { ...before, toMs: run.fromMs - 1 };
    }
    apart.push(run);
  }
  return apart;
}

/** Looks up when records were written, for times that ascend. */
function lookup(runs: readonly Run[]): Span['modifiedAt'] {
  let at = 0;
  return (timeMs) => {
    while (timeMs > (runs[at]?.toMs ?? Number.POSITIVE_INFINITY)) at += 1;
    return runs[at]?.modifiedMs ?? 0;
  };
}
