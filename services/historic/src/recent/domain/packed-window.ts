import { ValueType } from '@catchment/contracts/nodes';
import { FLAG, flagsAt, type TimeRange } from '@catchment/ingest-log';
import { emptyRecord, type FetchPlan, type StoredColumn, type StoredRecord } from '../../records/index.ts';

const LIVE = FLAG.value | FLAG.quality | FLAG.annotation;
/** Bytes of a window's objects. */
const WINDOW_BYTES = 640;
/** A text or an annotation takes this besides its characters. */
const TEXT_BYTES = 48;
const LEAST_ROOM = 64;

/** Parts of records by their index. Indexes from `count` on are not there yet, so the holder of a view may go on reading it while records are appended. */
type Columns = {
  count: number;
  readonly times: Float64Array;
  /** There are two per record for COORDINATES and none for TEXT; NaN means no value. */
  readonly numbers: Float64Array;
  readonly texts: (string | undefined)[];
  /** -1 = none; absent: no record has a quality. */
  readonly qualities: Int32Array | undefined;
  readonly annotations: Map<number, string>;
};

/**
 * Holds all live records of a series in a part of its time, as the store shows them, in packed columns. Writes are merged as the store does
 * it; what cannot be known from here is said, and the window is to be dropped.
 */
export class PackedWindow {
  readonly valueType: ValueType;
  readonly #perRecord: 0 | 1 | 2;
  #columns: Columns;
  #fromMs: number;
  #toMs: number;
  /** Bytes of texts and annotations. */
  #textBytes = 0;

  constructor(valueType: ValueType, { fromMs, toMs }: TimeRange) {
    this.valueType = valueType;
    this.#perRecord =
      valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : valueType === ValueType.VALUE_TYPE_TEXT ? 0 : 1;
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    this.#columns = roomFor(0, this.#perRecord);
  }

  /** Returns the part of time of which all records are here, Unix ms, both inclusive. */
  get range(): TimeRange {
    return { fromMs: this.#fromMs, toMs: this.#toMs };
  }

  get count(): number {
    return this.#columns.count;
  }

  get bytes(): number {
    const { times, numbers, qualities, texts } = this.#columns;
    return (
      WINDOW_BYTES +
      times.byteLength +
      numbers.byteLength +
      (qualities?.byteLength ?? 0) +
      texts.length * 8 +
      this.#textBytes
    );
  }

  /** Adds a record behind all others. */
  append(record: StoredRecord): void {
    const index = this.#columns.count;
    this.#makeRoom(index + 1, record.quality !== undefined);
    const { times, numbers, texts, qualities, annotations } = this.#columns;
    times[index] = record.timeMs;
    if (this.#perRecord === 0) texts.push(record.text);
    else numbers[index * this.#perRecord] = record.number ?? Number.NaN;
    if (this.#perRecord === 2) numbers[index * 2 + 1] = record.longitude ?? Number.NaN;
    if (qualities) qualities[index] = record.quality ?? -1;
    if (record.annotation !== undefined) annotations.set(index, record.annotation);
    this.#textBytes += bytesOfText(record.text) + bytesOfText(record.annotation);
    this.#columns.count = index + 1;
  }

  /**
   * Yields the records of a plan, as far as this window has them: those in its part of time, in the plan's order. They are those of now,
   * whatever is written while they are visited.
   */
  *visit({ fromMs, toMs, order }: FetchPlan): Generator<StoredRecord> {
    const columns = { ...this.#columns };
    const [first, end] = [
      lowerBound(columns.times, fromMs, columns.count),
      lowerBound(columns.times, toMs + 1, columns.count),
    ];
    const record = emptyRecord();
    if (order === 'ascending')
      for (let index = first; index < end; index += 1) yield this.#read(columns, index, record);
    else for (let index = end - 1; index >= first; index -= 1) yield this.#read(columns, index, record);
  }

  /** Counts records between two times, both inclusive. */
  countIn({ fromMs, toMs }: TimeRange): number {
    const { times, count } = this.#columns;
    return Math.max(0, lowerBound(times, toMs + 1, count) - lowerBound(times, fromMs, count));
  }

  /**
   * Takes over what the store has taken.
   * @returns false where what the store shows now does not follow from the column and the window: the window is wrong from here on
   */
  merge(column: StoredColumn): boolean {
    const { timestamps, kept } = column;
    if (column.valueType !== this.valueType || !ascends(timestamps)) return false;
    // A kept part is what the point holds, which may be what a deleted record has left there.
    if (kept?.some((parts) => parts !== 0)) return false;
    const [first, end] = [lowerBound(timestamps, this.#fromMs), lowerBound(timestamps, this.#toMs + 1)];
    if (first >= end) return true;
    const { count, times } = this.#columns;
    const isBehind = count === 0 || (timestamps[first] ?? 0) > (times[count - 1] ?? 0);
    if (isBehind) this.#appendAll(column, first, end);
    else this.#mergeAll(column, first, end);
    return true;
  }

  /** Takes over a window that begins where this one ends. */
  extend(next: PackedWindow): void {
    const columns = next.#columns;
    const record = emptyRecord();
    for (let index = 0; index < columns.count; index += 1) this.append(next.#read(columns, index, record));
    this.#toMs = next.#toMs;
  }

  /** Gives up the older half of a window that grew too large. */
  dropOlder(): void {
    const columns = this.#columns;
    const from = Math.ceil(columns.count / 2);
    this.#begin(columns.count - from);
    this.#fromMs = (columns.times[from - 1] ?? this.#fromMs) + 1;
    const record = emptyRecord();
    for (let index = from; index < columns.count; index += 1) this.append(this.#read(columns, index, record));
  }

  #appendAll(column: StoredColumn, first: number, end: number): void {
    const record = emptyRecord();
    for (let index = first; index < end; index += 1) if (this.#written(column, index, record)) this.append(record);
  }

  #mergeAll(column: StoredColumn, first: number, end: number): void {
    const old = this.#columns;
    this.#begin(old.count + end - first);
    const record = emptyRecord();
    let at = 0;
    for (let index = first; index < end; index += 1) {
      const timeMs = column.timestamps[index] ?? 0;
      for (; at < old.count && (old.times[at] ?? 0) < timeMs; at += 1) this.append(this.#read(old, at, record));
      if (at < old.count && old.times[at] === timeMs) at += 1;
      if (this.#written(column, index, record)) this.append(record);
    }
    for (; at < old.count; at += 1) this.append(this.#read(old, at, record));
  }

  /** Puts a record as the store shows it after it was written. @returns false for a record that is gone */
  #written(column: StoredColumn, index: number, into: StoredRecord): boolean {
    const flags = flagsAt(column, index) & LIVE;
    if (flags === 0) return false;
    into.timeMs = column.timestamps[index] ?? 0;
    into.number = undefined;
    into.longitude = undefined;
    into.text = undefined;
    into.quality = flags & FLAG.quality ? (column.qualities[index] ?? 0) : undefined;
    into.annotation = flags & FLAG.annotation ? (column.annotations.get(index) ?? '').toWellFormed() : undefined;
    if ((flags & FLAG.value) === 0) return true;
    if (this.#perRecord === 0) into.text = (column.texts[index] ?? '').toWellFormed();
    // The store knows no -0: it is written as 0.
    else into.number = (column.numbers[index * this.#perRecord] ?? 0) + 0;
    if (this.#perRecord === 2) into.longitude = (column.numbers[index * 2 + 1] ?? 0) + 0;
    return true;
  }

  #read(columns: Columns, index: number, into: StoredRecord): StoredRecord {
    const { times, numbers, texts, qualities, annotations } = columns;
    const number = this.#perRecord === 0 ? Number.NaN : (numbers[index * this.#perRecord] ?? Number.NaN);
    const quality = qualities?.[index] ?? -1;
    into.timeMs = times[index] ?? 0;
    into.modifiedMs = Number.NaN;
    into.number = Number.isNaN(number) ? undefined : number;
    into.longitude = this.#perRecord === 2 && !Number.isNaN(number) ? numbers[index * 2 + 1] : undefined;
    into.text = this.#perRecord === 0 ? texts[index] : undefined;
    into.quality = quality < 0 ? undefined : quality;
    into.annotation = annotations.size === 0 ? undefined : annotations.get(index);
    return into;
  }

  #begin(records: number): void {
    this.#columns = roomFor(records, this.#perRecord);
    this.#textBytes = 0;
  }

  #makeRoom(records: number, hasQuality: boolean): void {
    const { count, times, numbers, qualities } = this.#columns;
    const isFull = records > times.length;
    if (!isFull && (qualities || !hasQuality)) return;
    // There is room for a quarter more: windows grow by what is written, and what is free counts too.
    const room = isFull ? Math.max(LEAST_ROOM, Math.ceil(records * 1.25)) : times.length;
    this.#columns = {
      ...this.#columns,
      times: isFull ? grown(times, new Float64Array(room)) : times,
      numbers: isFull ? grown(numbers, new Float64Array(room * this.#perRecord)) : numbers,
      qualities:
        qualities || hasQuality ? grown(qualities?.subarray(0, count), new Int32Array(room).fill(-1)) : undefined,
    };
  }
}

/** A window has this part of a plan. */
export type Coverage = 'all' | 'begin' | 'none';

/**
 * `begin`: the first records of a plan are here, as many as it wants at least; where the visitor leaves some of them out, it goes on
 * behind the window.
 */
export function coverageOf(window: PackedWindow, plan: FetchPlan): Coverage {
  const { range } = window;
  if (range.fromMs <= plan.fromMs && range.toMs >= plan.toMs) return 'all';
  const hasEnough = plan.limit !== undefined && window.countIn(plan) >= plan.limit;
  return hasEnough && hasBegin(window, plan) ? 'begin' : 'none';
}

/** Returns whether no record of a plan comes before those that a window has of it. */
export const hasBegin = ({ range }: PackedWindow, { fromMs, toMs, order }: FetchPlan): boolean =>
  order === 'ascending' ? range.fromMs <= fromMs && range.toMs >= fromMs : range.toMs >= toMs && range.fromMs <= toMs;

/** The next page of a series begins soon behind the last one: at most this part of a window's time. */
const SOON = 1 / 4;

/** Returns what a window lacks to have the begin of a plan that goes on in it or soon behind it; undefined: it is about another time. */
export function restToHave({ range }: PackedWindow, plan: FetchPlan): FetchPlan | undefined {
  const soonMs = range.toMs + (range.toMs - range.fromMs) * SOON;
  if (plan.order !== 'ascending' || plan.fromMs < range.fromMs || plan.fromMs > soonMs) return undefined;
  return { ...plan, fromMs: range.toMs + 1 };
}

/** Returns the rest of a plan behind a window that has its begin. */
export const restBehind = ({ range }: PackedWindow, plan: FetchPlan): FetchPlan =>
  plan.order === 'ascending' ? { ...plan, fromMs: range.toMs + 1 } : { ...plan, toMs: range.fromMs - 1 };

const roomFor = (records: number, perRecord: number): Columns => ({
  count: 0,
  times: new Float64Array(records),
  numbers: new Float64Array(records * perRecord),
  texts: [],
  qualities: undefined,
  annotations: new Map(),
});

const bytesOfText = (text: string | undefined): number => (text === undefined ? 0 : TEXT_BYTES + 2 * text.length);

/** Returns the index of the first of ascending times that is not before a time. */
function lowerBound(times: Float64Array, timeMs: number, count = times.length): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascends(times: Float64Array): boolean {
  for (let n = 1; n < times.length; n += 1) if (!((times[n] ?? 0) > (times[n - 1] ?? 0))) return false;
  return true;
}

function grown<T extends Float64Array | Int32Array>(from: T | undefined, to: T): T {
  if (from) to.set(from);
  return to;
}
