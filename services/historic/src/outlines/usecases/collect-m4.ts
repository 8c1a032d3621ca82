import type { ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import { inParallel } from '@catchment/fair-queue';
import type { TimeRange } from '@catchment/ingest-log';
import type { AnswerBudget, Bounds, Collect, Column } from '../../columns/index.ts';
import { isUnwritable } from '../../influx/index.ts';
import { emptyRecord, planRange, RecordSet, type StoredRecord } from '../../records/index.ts';
import { keyOf } from '../../series/index.ts';
import { columnRuns } from '../domain/bucket-runs.ts';
import { M4Reducer } from '../domain/m4-reducer.ts';
import { Outline } from '../domain/outline.ts';
import { RangeColumns } from '../domain/range-columns.ts';
import type { RecordOutlines } from './ports.ts';

/** This many records are read before it is decided how the rest is read. */
const TRIED_RECORDS = 4_000;
/** A rest of about this many is divided: the store computes each statement on one processor. */
const MANY_RECORDS = 20_000;
const PARTS_AT_A_TIME = 2;
/** Reading a number costs so much more than to let the store find out whether it stands out: measured, 1.5 and 0.4 µs. */
const SAVED_MS_PER_RECORD = 0.0011;
/**
 * This many columns are timed first, for the cost of a column's first and last record: the last columns, since new records may be slow.
 */
const PROBED_COLUMNS = 8;
/** Ranges that only the records can answer; more of them are read in one go. */
const MAX_RANGES = 16;

export type OutlinedCollect = Collect & {
  /** Outstanding records by the store; absent = all are read. */
  readonly outlines?: RecordOutlines | undefined;
};

/** The records of a range are those that stand out, or all there are. */
export type Outlined = { readonly records: RecordSet; readonly isWhole: boolean };

/**
 * Collects the outstanding records of each column of a range, oldest first (docs/reference/reading.md#reduction). The store finds them
 * where that costs less than reading; the others, and columns with more than plain numbers in them, are read once, in constant memory.
 * @param wholeUpTo where the range has at most this many records, they are all answered
 * @throws DomainError too_large
 */
export async function collectM4(
  from: OutlinedCollect,
  column: Column,
  { count, wholeUpTo = 0 }: { readonly count: number; readonly wholeUpTo?: number },
  bounds: Bounds,
): Promise<Outlined> {
  const { fromMs, toMs } = planRange({ ...bounds, limit: undefined });
  const columns = new RangeColumns(bounds.startMs ?? fromMs, bounds.endMs ?? toMs, count);
  const reading: Reading = { from, column, columns, signal: from.signal };
  const { valueType } = column.view;
  const all = new FirstRecords(valueType, wholeUpTo);
  const results = new RecordSet(valueType);
  const { keep, finish } = keeper((record) => from.budget.add(results, record), numberOf(column));
  const rest = await scanBeginning(reading, { fromMs, toMs }, keep, (record) => all.add(record));
  if (!rest && all.isWhole) {
    from.budget.keepOf(results, new RecordSet(valueType));
    return { records: all.within(from.budget), isWhole: true };
  }
  if (rest) await collectRest(reading, rest, toMs, keep);
  finish();
  return { records: results, isWhole: false };
}

/** Keeps all records of a range, as long as they are few. */
class FirstRecords {
  readonly #records: RecordSet;
  readonly #most: number;
  isWhole: boolean;

  constructor(valueType: ValueType, most: number) {
    this.#records = new RecordSet(valueType);
    this.#most = most;
    this.isWhole = most > 0;
  }

  add(record: StoredRecord): void {
    if (this.#records.count < this.#most) this.#records.add(record);
    else this.isWhole = false;
  }

  /** @throws DomainError too_large */
  within(budget: AnswerBudget): RecordSet {
    const answered = new RecordSet(this.#records.valueType);
    for (let n = 0; n < this.#records.count; n += 1) budget.add(answered, this.#records.at(n));
    return answered;
  }
}

type Reading = Pick<Collect, 'signal'> & {
  readonly from: OutlinedCollect;
  readonly column: Column;
  readonly columns: RangeColumns;
};
type Keep = (record: StoredRecord) => void;
/** The columns from `first` on have about this many records. */
type Rest = { readonly first: number; readonly records: number };

/** Returns the number that is shown of a record; NaN = none. */
const numberOf = ({ node }: Column) => {
  const { apply } = transformOf(node.series);
  return ({ number }: StoredRecord): number => (number === undefined ? Number.NaN : apply(number));
};

/** Keeps the newest of neighbouring records without a value where two parts meet. */
function keeper(add: Keep, numberOf: (record: StoredRecord) => number): { keep: Keep; finish: () => void } {
  let gap: StoredRecord | undefined;
  const finish = () => {
    if (gap) add(gap);
    gap = undefined;
  };
  const keep = (record: StoredRecord) => {
    if (Number.isNaN(numberOf(record))) {
      gap = { ...record };
      return;
    }
    finish();
    add(record);
  };
  return { keep, finish };
}

type Watch = {
  /** It is asked before a record counts: true ends the scan in front of it. */
  readonly isEnough?: (timeMs: number) => boolean;
  /** Sees each record that counts. */
  readonly see?: Keep;
};

async function scan(
  { from, column, columns }: Reading,
  range: TimeRange,
  signal: AbortSignal,
  keep: Keep,
  { isEnough, see }: Watch = {},
): Promise<void> {
  const { excluded, quality, reader } = from;
  const reducer = new M4Reducer(columns, numberOf(column), keep);
  const plan = { ...range, order: 'ascending', limit: undefined } as const;
  await reader.scan(keyOf(column.node), plan, signal, (record) => {
    if (isEnough?.(record.timeMs)) return false;
    if (excluded.size > 0 && excluded.has(quality.typeOf(record.quality))) return true;
    see?.(record);
    reducer.push(record);
    return true;
  });
  reducer.finish();
}

/** Does what `scan` does, sooner. @returns false where there are more than numbers, or numbers are excluded */
async function scanNumbers(
  { from: { outlines, excluded, quality }, column, columns }: Reading,
  range: TimeRange,
  signal: AbortSignal,
  keep: Keep,
): Promise<boolean> {
  if (!outlines || excluded.has(quality.typeOf(undefined))) return false;
  const reducer = new M4Reducer(columns, numberOf(column), keep);
  const record = emptyRecord();
  const isWhole = await outlines.numbers(column.node.nodeId, range, signal, (timeMs, number) => {
    record.timeMs = timeMs;
    record.number = number;
    reducer.push(record);
  });
  reducer.finish();
  return isWhole;
}

/**
 * Reads the range, or its beginning where there are many records.
 * @param see sees each record that is read
 * @returns what is left, from a column's beginning on
 */
async function scanBeginning(reading: Reading, range: TimeRange, keep: Keep, see: Keep): Promise<Rest | undefined> {
  const { columns, signal } = reading;
  let seen = 0;
  let rest: Rest | undefined;
  let isLeft = false;
  const isEnough = (timeMs: number) => {
    seen += 1;
    if (seen === TRIED_RECORDS) {
      const records = (seen / Math.max(timeMs - range.fromMs, 1)) * (range.toMs - timeMs);
      if (records > MANY_RECORDS) rest = { first: columns.indexAt(timeMs) + 1, records };
    }
    isLeft = rest !== undefined && timeMs >= (columns.starts[rest.first] ?? Number.POSITIVE_INFINITY);
    return isLeft;
  };
  await scan(reading, range, signal, keep, { isEnough, see });
  return isLeft ? rest : undefined;
}

async function collectRest(reading: Reading, rest: Rest, toMs: number, keep: Keep): Promise<void> {
  const { columns, signal } = reading;
  const outline = await outlineOf(reading, rest);
  if (!outline) {
    const middle = Math.ceil((rest.first + columns.count) / 2);
    const fromMs = columns.starts[rest.first] ?? 0;
    const middleMs = Math.min(columns.starts[middle] ?? toMs, toMs);
    const parts =
      middleMs > fromMs
        ? [
            { fromMs, toMs: middleMs - 1 },
            { fromMs: middleMs, toMs },
          ]
        : [{ fromMs, toMs }];
    const found = await inParallel(parts, { atOnce: PARTS_AT_A_TIME, signal }, async (range, stopping) => {
      const records = new RecordSet(reading.column.view.valueType);
      const add = (record: StoredRecord) => records.add(record);
      if (!(await scanNumbers(reading, range, stopping, add))) await scan(reading, range, stopping, add);
      return records;
    });
    for (const records of found) for (let n = 0; n < records.count; n += 1) keep(records.at(n));
    return;
  }
  const record = emptyRecord();
  let at = rest.first;
  for (const open of openRanges(outline, at, columns.count)) {
    for (; at < open.first; at += 1) outline.visit(at, record, keep);
    await scan(reading, rangeOf(columns, open), signal, keep);
    at = open.last + 1;
  }
  for (; at < columns.count; at += 1) outline.visit(at, record, keep);
}

/** @returns undefined where the store cannot say it, or takes longer than reading would */
async function outlineOf({ from, column, columns, signal }: Reading, rest: Rest): Promise<Outline | undefined> {
  const { outlines, excluded, quality } = from;
  const { nodeId, series } = column.node;
  const { linear, apply } = transformOf(series);
  // The store knows nothing of exclusion, and of equations only those that keep the order of numbers, or reverse it.
  const runs = linear && !excluded.has(quality.typeOf(undefined)) ? columnRuns(columns, rest.first) : undefined;
  if (!runs || !outlines) return undefined;
  const spanOf = (at: number): TimeRange => rangeOf(columns, { first: at, last: at });
  const all = Array.from({ length: columns.count - rest.first }, (_, n) => rest.first + n);
  const outline = new Outline(columns);
  try {
    const columnMs = await outlines.edgesCost(nodeId, all.slice(-PROBED_COLUMNS).map(spanOf), signal);
    if (columnMs * all.length > rest.records * SAVED_MS_PER_RECORD) return undefined;
    await inParallel(runs, { atOnce: PARTS_AT_A_TIME, signal }, (run, stopping) =>
      outlines.extremes(nodeId, run, stopping, {
        low: (timeMs, number) => outline.addLow(timeMs, number),
        high: (timeMs, number) => outline.addHigh(timeMs, number),
        other: (timeMs) => outline.open(timeMs),
      }),
    );
    outline.openWhere((number) => Number.isNaN(apply(number)));
    const closed = all.filter((at) => outline.hasAny(at) && !outline.isOpen(at)).map(spanOf);
    const middle = Math.ceil(closed.length / 2);
    await inParallel(
      [closed.slice(0, middle), closed.slice(middle)],
      { atOnce: PARTS_AT_A_TIME, signal },
      (half, stopping) => outlines.edges(nodeId, half, stopping, (timeMs, number) => outline.addEdge(timeMs, number)),
    );
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return undefined;
  }
  return outline;
}

type ColumnSpan = { readonly first: number; readonly last: number };

const rangeOf = ({ starts }: RangeColumns, { first, last }: ColumnSpan): TimeRange => ({
  fromMs: starts[first] ?? 0,
  toMs: (starts[last + 1] ?? 0) - 1,
});

/** Returns neighbouring columns that only the records can answer. */
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
