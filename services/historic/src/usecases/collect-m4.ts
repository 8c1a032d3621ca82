import { transformOf } from '@catchment/equation';
import { DomainError } from '@catchment/errors';
import type { TimeRange } from '@catchment/ingest-log';
import { columnRuns } from '../domain/m4/bucket-runs.ts';
import { M4Reducer } from '../domain/m4/m4-reducer.ts';
import { Outline } from '../domain/m4/outline.ts';
import { RangeColumns } from '../domain/m4/range-columns.ts';
import { planRange } from '../domain/read-range.ts';
import { emptyRecord, RecordSet, type StoredRecord } from '../domain/record-set.ts';
import type { Collect } from './collect-records.ts';
import { inParallel } from './in-parallel.ts';
import type { Bounds } from './read-bounds.ts';
import { type Column, keyOf } from './read-column.ts';

/** What is read before it is decided who goes through the rest. */
const TRIED_RECORDS = 4_000;
/** Of fewer records a column costs the store more than their reading. */
const STORE_FROM_RECORDS_PER_COLUMN = 100;
/** The store computes each question on one processor. */
const QUESTIONS_AT_A_TIME = 2;
/** More ranges that only the records can tell are read in one go. */
const MAX_RANGES = 16;

/**
 * The outstanding records of each column of a range, oldest first (docs/reference/reading.md#reduction). The store finds them where there are
 * many; the others, and columns with more than plain numbers in them, are read once, in constant memory.
 * @throws DomainError too_large
 */
export async function collectM4(from: Collect, column: Column, count: number, bounds: Bounds): Promise<RecordSet> {
  const plan = planRange({ ...bounds, limit: undefined });
  const columns = new RangeColumns(bounds.startMs ?? plan.fromMs, bounds.endMs ?? plan.toMs, count);
  const reading = readingOf(from, column, columns);
  const { fromMs, toMs } = plan;
  const restFrom = await scanDense(reading, { fromMs, toMs });
  if (restFrom === undefined) return reading.results;
  const outline = await outlineOf(reading, restFrom);
  if (!outline) {
    await scan(reading, { fromMs: columns.starts[restFrom] ?? toMs, toMs });
    return reading.results;
  }
  const record = emptyRecord();
  let at = restFrom;
  for (const open of openRanges(outline, restFrom, columns.count)) {
    for (; at < open.first; at += 1) outline.visit(at, record, reading.keep);
    await scan(reading, rangeOf(columns, open));
    at = open.last + 1;
  }
  for (; at < columns.count; at += 1) outline.visit(at, record, reading.keep);
  return reading.results;
}

type Reading = Pick<Collect, 'signal'> & {
  readonly from: Collect;
  readonly column: Column;
  readonly columns: RangeColumns;
  readonly results: RecordSet;
  readonly keep: (record: StoredRecord) => void;
  readonly reducer: () => M4Reducer;
};

function readingOf(from: Collect, column: Column, columns: RangeColumns): Reading {
  const { apply } = transformOf(column.node.series);
  const numberOf = ({ number }: StoredRecord) => (number === undefined ? Number.NaN : apply(number));
  const results = new RecordSet(column.view.valueType);
  const keep = (record: StoredRecord) => from.budget.add(results, record);
  const reducer = () => new M4Reducer(columns, numberOf, keep);
  return { from, column, columns, results, keep, reducer, signal: from.signal };
}

/** @param isEnough asked before a record counts: true ends the scan in front of it */
async function scan(
  { from, column, reducer, signal }: Reading,
  range: TimeRange,
  isEnough: (timeMs: number) => boolean = () => false,
): Promise<void> {
  const { excluded, quality, reader } = from;
  const kept = reducer();
  const plan = { ...range, order: 'ascending', limit: undefined } as const;
  await reader.scan(keyOf(column.node), plan, signal, (record) => {
    if (isEnough(record.timeMs)) return false;
    if (excluded.size === 0 || !excluded.has(quality.typeOf(record.quality))) kept.push(record);
    return true;
  });
  kept.finish();
}

/**
 * Scans the range, or its beginning where it proves to be dense.
 * @returns the first column that is left for the store; undefined = none
 */
async function scanDense(reading: Reading, range: TimeRange): Promise<number | undefined> {
  const { columns, from, column } = reading;
  const isForStore = from.outlines && isSettledByStore(from, column) && columnRuns(columns, 0) !== undefined;
  if (!isForStore) {
    await scan(reading, range);
    return undefined;
  }
  let seen = 0;
  let rest: number | undefined;
  let isLeft = false;
  await scan(reading, range, (timeMs) => {
    seen += 1;
    if (seen === TRIED_RECORDS) {
      const left = (seen / Math.max(timeMs - range.fromMs, 1)) * (range.toMs - timeMs);
      const next = columns.indexAt(timeMs) + 1;
      if (left > (columns.count - next) * STORE_FROM_RECORDS_PER_COLUMN) rest = next;
    }
    isLeft = rest !== undefined && timeMs >= (columns.starts[rest] ?? Number.POSITIVE_INFINITY);
    return isLeft;
  });
  return isLeft ? rest : undefined;
}

/** The store knows nothing of exclusion, and of equations only those that keep the order of numbers, or turn it round. */
const isSettledByStore = ({ excluded, quality }: Collect, { node }: Column): boolean =>
  !excluded.has(quality.typeOf(undefined)) && transformOf(node.series).linear !== undefined;

/** @returns undefined where the store cannot say it */
async function outlineOf(
  { from: { outlines }, column, columns, signal }: Reading,
  first: number,
): Promise<Outline | undefined> {
  const runs = columnRuns(columns, first);
  if (!runs || !outlines) return undefined;
  const { nodeId, series } = column.node;
  const outline = new Outline(columns);
  try {
    await inParallel(runs, QUESTIONS_AT_A_TIME, signal, (run, own) =>
      outlines.extremes(nodeId, run, own, {
        low: (timeMs, number) => outline.addLow(timeMs, number),
        high: (timeMs, number) => outline.addHigh(timeMs, number),
        other: (timeMs) => outline.open(timeMs),
      }),
    );
    const { apply } = transformOf(series);
    outline.openWhere((number) => Number.isNaN(apply(number)));
    const ranges: TimeRange[] = [];
    for (let at = first; at < columns.count; at += 1)
      if (outline.hasAny(at) && !outline.isOpen(at)) ranges.push(rangeOf(columns, { first: at, last: at }));
    const middle = Math.ceil(ranges.length / 2);
    const halves = [ranges.slice(0, middle), ranges.slice(middle)];
    await inParallel(halves, QUESTIONS_AT_A_TIME, signal, (half, own) =>
      outlines.edges(nodeId, half, own, (timeMs, number) => outline.addEdge(timeMs, number)),
    );
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return undefined;
  }
  return outline;
}

/** The store cannot write such an answer, or does not know the question. */
const isUnwritable = (error: unknown): boolean =>
  error instanceof DomainError && (error.reason === 'INFLUX_ANSWER_CUT' || error.reason === 'INFLUX_REFUSED');

type ColumnSpan = { readonly first: number; readonly last: number };

const rangeOf = ({ starts }: RangeColumns, { first, last }: ColumnSpan): TimeRange => ({
  fromMs: starts[first] ?? 0,
  toMs: (starts[last + 1] ?? 0) - 1,
});

/** Neighbouring columns that only the records can tell. */
function openRanges(outline: Outline, first: number, end: number): ColumnSpan[] {
  const spans: { first: number; last: number }[] = [];
  for (let at = first; at < end; at += 1) {
    if (!outline.isOpen(at)) continue;
    const before = spans.at(-1);
    if (before && before.last === at - 1) before.last = at;
    else spans.push({ first: at, last: at });
  }
  const [begin, last] = [spans[0], spans.at(-1)];
  return begin && last && spans.length > MAX_RANGES ? [{ first: begin.first, last: last.last }] : spans;
}
