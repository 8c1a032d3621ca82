import { emptyRecord, type StoredRecord } from '../../records/index.ts';
import type { RangeColumns } from './range-columns.ts';

/** A record is kept with the newest record without a value that came before it. */
type Kept = { readonly record: StoredRecord; value: number; gap: StoredRecord | undefined };

/**
 * Keeps the first, the last, the lowest and the highest record with a value of each column
 * (docs/reference/reading.md#reduction), the earliest of equal ones; and one record without a value wherever there are
 * any before, between or after two of them, since it breaks the line. Takes records in ascending order of their times,
 * and holds one column.
 */
export class M4Reducer {
  readonly #indexOf: (timeMs: number) => number;
  readonly #numberOf: (record: StoredRecord) => number;
  readonly #emit: (record: StoredRecord) => void;
  readonly #first = emptySlot();
  readonly #low = emptySlot();
  readonly #high = emptySlot();
  readonly #last = emptySlot();
  /** NaN: the column has no value yet. */
  #column = Number.NaN;
  #gap: StoredRecord | undefined;
  #emittedMs = Number.NEGATIVE_INFINITY;

  /**
   * @param numberOf the number that is shown of a record; NaN = none
   * @param emit takes what is kept, ascending
   */
  constructor(columns: RangeColumns, numberOf: (record: StoredRecord) => number, emit: (record: StoredRecord) => void) {
    this.#indexOf = columns.ascendingIndex();
    this.#numberOf = numberOf;
    this.#emit = emit;
  }

  /** @param record may be overwritten by the next record */
  push(record: StoredRecord): void {
    const value = this.#numberOf(record);
    if (Number.isNaN(value)) {
      this.#gap = { ...record };
      return;
    }
    const column = this.#indexOf(record.timeMs);
    if (column !== this.#column) {
      this.#flush();
      this.#column = column;
      this.#keep(this.#first, record, value);
      this.#keep(this.#low, record, value);
      this.#keep(this.#high, record, value);
    } else if (value < this.#low.value) this.#keep(this.#low, record, value);
    else if (value > this.#high.value) this.#keep(this.#high, record, value);
    this.#keep(this.#last, record, value);
  }

  /** Is called after the last record. */
  finish(): void {
    this.#flush();
    this.#emitGap(this.#gap);
  }

  #keep(slot: Kept, record: StoredRecord, value: number): void {
    Object.assign(slot.record, record);
    slot.value = value;
    slot.gap = this.#gap;
  }

  #flush(): void {
    if (Number.isNaN(this.#column)) return;
    const [earlier, later] =
      this.#low.record.timeMs < this.#high.record.timeMs ? [this.#low, this.#high] : [this.#high, this.#low];
    for (const { record, gap } of [this.#first, earlier, later, this.#last]) {
      if (record.timeMs <= this.#emittedMs) continue;
      this.#emitGap(gap);
      this.#emit(record);
      this.#emittedMs = record.timeMs;
    }
    this.#column = Number.NaN;
  }

  #emitGap(gap: StoredRecord | undefined): void {
    if (!gap || gap.timeMs <= this.#emittedMs) return;
    this.#emit(gap);
    this.#emittedMs = gap.timeMs;
  }
}

const emptySlot = (): Kept => ({ record: emptyRecord(), value: Number.NaN, gap: undefined });
