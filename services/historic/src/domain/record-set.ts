import { ValueType } from '@catchment/contracts/nodes';

const FIRST_CAPACITY = 1_024;
/** Size of a record in an answer besides its texts, bytes; measured on numbers with few digits. */
const RECORD_BYTES = 72;

/** One record as the store gives it; absent parts are undefined. */
export type StoredRecord = {
  timeMs: number;
  /** NaN where the store says it of many records together. */
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
  modifiedMs: 0,
  number: undefined,
  longitude: undefined,
  text: undefined,
  quality: undefined,
  annotation: undefined,
});

/** The records of one series as compact columns (docs/reference/guarantees.md#whole-answers), in the order in which they were added. */
export class RecordSet {
  readonly valueType: ValueType;
  readonly #perRecord: 0 | 1 | 2;
  count = 0;
  /** About the size of the answer that these records make. */
  textBytes = 0;
  times = new Float64Array(FIRST_CAPACITY);
  /** 2 per record for COORDINATES; NaN = no value. */
  numbers: Float64Array;
  readonly texts: (string | undefined)[] = [];
  /** -1 = none. */
  qualities = new Int32Array(FIRST_CAPACITY);
  readonly annotations = new Map<number, string>();
  hasQualities = false;

  constructor(valueType: ValueType) {
    this.valueType = valueType;
    this.#perRecord =
      valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : valueType === ValueType.VALUE_TYPE_TEXT ? 0 : 1;
    this.numbers = new Float64Array(FIRST_CAPACITY * this.#perRecord);
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

  /** The same records in the order of `indexes`. */
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
      modifiedMs: 0,
      number: number !== undefined && Number.isNaN(number) ? undefined : number,
      longitude: this.#perRecord === 2 && this.hasValue(index) ? this.numbers[index * 2 + 1] : undefined,
      text: this.texts[index],
      quality: quality < 0 ? undefined : quality,
      annotation: this.annotations.get(index),
    };
  }

  /** Newest-first becomes oldest-first. */
  reversed(): RecordSet {
    return this.select(Int32Array.from({ length: this.count }, (_, n) => this.count - 1 - n));
  }

  #grow(): void {
    const capacity = this.times.length * 2;
    this.times = grown(this.times, new Float64Array(capacity));
    this.numbers = grown(this.numbers, new Float64Array(capacity * this.#perRecord));
    this.qualities = grown(this.qualities, new Int32Array(capacity));
  }
}

/** Size of a text in an answer, without its quotes: a control character takes six bytes. */
const writtenBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
