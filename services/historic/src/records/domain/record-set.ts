import { ValueType } from '@catchment/contracts/nodes';

const FIRST_CAPACITY = 1_024;
/** A record takes these bytes in an answer besides its texts; measured on numbers with few digits. */
const RECORD_BYTES = 72;

/** The store gives a record with these parts; absent parts are undefined. */
export type StoredRecord = {
  timeMs: number;
  /** Unix ms; NaN where a read does not ask for it, or the store knows it of many records together only. */
  modifiedMs: number;
  /** NUMBER, TIME (Unix ms), latitude. */
  number: number | undefined;
  longitude: number | undefined;
  text: string | undefined;
  quality: number | undefined;
  annotation: string | undefined;
};

export const emptyRecord = (): StoredRecord => ({
  timeMs: 0,
  modifiedMs: Number.NaN,
  number: undefined,
  longitude: undefined,
  text: undefined,
  quality: undefined,
  annotation: undefined,
});

/**
 * Holds the records of one series as compact columns (docs/reference/guarantees.md#whole-answers), in the order in which they were added.
 */
export class RecordSet {
  readonly valueType: ValueType;
  readonly #perRecord: 0 | 1 | 2;
  count = 0;
  /** The answer that these records make has about this size. */
  textBytes = 0;
  times: Float64Array;
  /** There are two per record for COORDINATES; NaN means no value. */
  numbers: Float64Array;
  readonly texts: (string | undefined)[] = [];
  /** -1 = none. */
  qualities: Int32Array;
  readonly annotations = new Map<number, string>();
  hasQualities = false;

  /** @param capacity records for which there is room at first */
  constructor(valueType: ValueType, capacity = FIRST_CAPACITY) {
    this.valueType = valueType;
    this.times = new Float64Array(capacity);
    this.qualities = new Int32Array(capacity);
    this.#perRecord =
      valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : valueType === ValueType.VALUE_TYPE_TEXT ? 0 : 1;
    this.numbers = new Float64Array(capacity * this.#perRecord);
  }

  add(record: StoredRecord): void {
    const index = this.count;
    if (index === this.times.length) this.#grow();
    this.times[index] = record.timeMs;
    if (this.#perRecord === 0) this.texts.push(record.text);
    else this.numbers[index * this.#perRecord] = record.number ?? Number.NaN;
    if (this.#perRecord === 2) this.numbers[index * 2 + 1] = record.longitude ?? Number.NaN;
    this.qualities[index] = record.quality ?? -1;
    if (record.quality !== undefined) this.hasQualities = true;
    if (record.annotation !== undefined) this.annotations.set(index, record.annotation);
    this.textBytes += RECORD_BYTES;
    if (record.text !== undefined) this.textBytes += writtenBytes(record.text);
    if (record.annotation !== undefined) this.textBytes += writtenBytes(record.annotation);
    this.count = index + 1;
  }

  hasValue(index: number): boolean {
    if (this.#perRecord === 0) return this.texts[index] !== undefined;
    return !Number.isNaN(this.numbers[index * this.#perRecord]);
  }

  /** Returns the records at `indexes`, in that order. */
  select(indexes: ArrayLike<number>): RecordSet {
    const selected = new RecordSet(this.valueType);
    for (let n = 0; n < indexes.length; n += 1) selected.add(this.at(indexes[n] ?? 0));
    return selected;
  }

  at(index: number): StoredRecord {
    const number = this.#perRecord === 0 ? undefined : this.numbers[index * this.#perRecord];
    const quality = this.qualities[index] ?? -1;
    return {
      timeMs: this.times[index] ?? 0,
      modifiedMs: Number.NaN,
      number: number !== undefined && Number.isNaN(number) ? undefined : number,
      longitude: this.#perRecord === 2 && this.hasValue(index) ? this.numbers[index * 2 + 1] : undefined,
      text: this.texts[index],
      quality: quality < 0 ? undefined : quality,
      annotation: this.annotations.get(index),
    };
  }

  /** Newest-first becomes oldest-first. This set is given up: what it held belongs to the new set. */
  reversed(): RecordSet {
    const { count } = this;
    const other = new RecordSet(this.valueType, 0);
    other.count = count;
    other.textBytes = this.textBytes;
    other.hasQualities = this.hasQualities;
    other.times = this.times.subarray(0, count).reverse();
    other.qualities = this.qualities.subarray(0, count).reverse();
    other.numbers = this.numbers.subarray(0, count * this.#perRecord).reverse();
    // Pairs were reversed as well.
    if (this.#perRecord === 2)
      for (let at = 0; at < other.numbers.length; at += 2) {
        const longitude = other.numbers[at] ?? 0;
        other.numbers[at] = other.numbers[at + 1] ?? 0;
        other.numbers[at + 1] = longitude;
      }
    for (let index = this.texts.length - 1; index >= 0; index -= 1) other.texts.push(this.texts[index]);
    for (const [index, text] of [...this.annotations].reverse()) other.annotations.set(count - 1 - index, text);
    return other;
  }

  #grow(): void {
    const capacity = Math.max(FIRST_CAPACITY, this.times.length * 2);
    this.times = grown(this.times, new Float64Array(capacity));
    this.numbers = grown(this.numbers, new Float64Array(capacity * this.#perRecord));
    this.qualities = grown(this.qualities, new Int32Array(capacity));
  }
}

/** Returns the size of a text in an answer, without its quotes: a control character takes six bytes. */
const writtenBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
