import type { StoredRecord } from '../../records/index.ts';
import type { RangeColumns } from './range-columns.ts';

type Points = { readonly times: Float64Array; readonly numbers: Float64Array };

/** Collects what the store says of each column: its first, last, lowest and highest number, of records that are nothing else. */
export class Outline {
  readonly #columns: RangeColumns;
  readonly #low: Points;
  readonly #high: Points;
  readonly #first: Points;
  readonly #last: Points;
  readonly #isOpen: Uint8Array;

  constructor(columns: RangeColumns) {
    this.#columns = columns;
    const points = (): Points => ({
      times: new Float64Array(columns.count).fill(Number.NaN),
      numbers: new Float64Array(columns.count),
    });
    [this.#low, this.#high, this.#first, this.#last] = [points(), points(), points(), points()];
    this.#isOpen = new Uint8Array(columns.count);
  }

  /** Adds a low number; the first of equal ones holds. */
  addLow(timeMs: number, number: number): void {
    const at = this.#columns.indexAt(timeMs);
    if (isFree(this.#low, at) || number < (this.#low.numbers[at] ?? 0)) put(this.#low, at, timeMs, number);
  }

  addHigh(timeMs: number, number: number): void {
    const at = this.#columns.indexAt(timeMs);
    if (isFree(this.#high, at) || number > (this.#high.numbers[at] ?? 0)) put(this.#high, at, timeMs, number);
  }

  addEdge(timeMs: number, number: number): void {
    const at = this.#columns.indexAt(timeMs);
    if (isFree(this.#first, at) || timeMs < (this.#first.times[at] ?? 0)) put(this.#first, at, timeMs, number);
    if (isFree(this.#last, at) || timeMs > (this.#last.times[at] ?? 0)) put(this.#last, at, timeMs, number);
  }

  /** Marks the column of this time: only the records can show what is in it. */
  open(timeMs: number): void {
    this.#isOpen[this.#columns.indexAt(timeMs)] = 1;
  }

  isOpen(column: number): boolean {
    return this.#isOpen[column] === 1;
  }

  /** Returns whether the column has a record, as far as the store knows. */
  hasAny(column: number): boolean {
    return !isFree(this.#low, column);
  }

  /** Opens columns with extremes that a transform leaves no number of. */
  openWhere(isLost: (number: number) => boolean): void {
    for (let at = 0; at < this.#columns.count; at += 1)
      if (this.hasAny(at) && (isLost(this.#low.numbers[at] ?? 0) || isLost(this.#high.numbers[at] ?? 0)))
        this.#isOpen[at] = 1;
  }

  /** Visits the records of a column, ascending, each once; the record is overwritten by the next one. */
  visit(column: number, record: StoredRecord, see: (record: StoredRecord) => void): void {
    const [low, high] = [this.#low, this.#high];
    const inOrder = (low.times[column] ?? 0) < (high.times[column] ?? 0) ? [low, high] : [high, low];
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const { times, numbers } of [this.#first, ...inOrder, this.#last]) {
      const timeMs = times[column] ?? Number.NaN;
      // This holds also where there is no number (NaN): the record was removed after the store had reported the others.
      if (!(timeMs > lastMs)) continue;
      record.timeMs = timeMs;
      record.number = numbers[column] ?? 0;
      lastMs = timeMs;
      see(record);
    }
  }
}

const isFree = ({ times }: Points, at: number): boolean => Number.isNaN(times[at]);

function put({ times, numbers }: Points, at: number, timeMs: number, number: number): void {
  times[at] = timeMs;
  numbers[at] = number;
}
