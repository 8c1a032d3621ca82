import { ValueType } from '@catchment/contracts/nodes';
import { QUALITY_MAX, TEXT_MAX } from '@catchment/ids';
import { FLAG } from '@catchment/ingest-log';
import { isJsonObject } from '@catchment/json-body';
import { ANNOTATION_MAX } from '@catchment/query';
import { parseTimeValueMs } from '@catchment/time';
import type { BuiltColumn } from '../../records/index.ts';
import { badBody, type QualityOfValue } from '../../series/index.ts';

/**
 * Collects the records of one column in ascending order of their rows, checking every value against the column's type
 * (docs/reference/writing.md#checks-before-the-answer). No object per record: arrays are made once for as many rows as the document has.
 */
export class ColumnBuilder {
  readonly #type: ValueType;
  readonly #perRecord: number;
  readonly #qualityOf: QualityOfValue | undefined;
  readonly #flags: Uint8Array;
  readonly #numbers: Float64Array;
  readonly #texts: string[] = [];
  #qualities: Uint16Array | undefined;
  readonly #annotations = new Map<number, string>();
  /** The rows of records are kept only when a row has no record of this column. */
  #rows: Int32Array | undefined;
  readonly #capacity: number;
  #count = 0;
  #lastRow = -1;
  #nan = Number.NaN;

  constructor(type: ValueType, maxRows: number, qualityOf: QualityOfValue | undefined) {
    this.#type = type;
    this.#perRecord = type === ValueType.VALUE_TYPE_COORDINATES ? 2 : type === ValueType.VALUE_TYPE_TEXT ? 0 : 1;
    this.#qualityOf = qualityOf;
    this.#capacity = maxRows;
    this.#flags = new Uint8Array(maxRows);
    this.#numbers = new Float64Array(maxRows * this.#perRecord);
  }

  /** Texts may have states with expressions, which are looked for in each of them. */
  get isCostly(): boolean {
    return this.#type === ValueType.VALUE_TYPE_TEXT && this.#qualityOf !== undefined;
  }

  /** Records so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * The record of `row` (ascending; the same row again replaces it: a later entry wins). `source` and `key` are what an
   * error text names: `data[<source>].f.<key>`.
   * @throws DomainError invalid_argument
   */
  add(row: number, field: unknown, source: number, key: string): void {
    if (field === null) {
      this.#store(this.#place(row), FLAG.deleteMarker);
      return;
    }
    if (!isJsonObject(field)) throw badBody(`data[${source}].f.${key}`, 'must be an object or null');
    const { v, q, a } = field;
    if (v === undefined && q === undefined && a === undefined) return;
    const index = this.#place(row);
    let flags = v === undefined ? 0 : v === null ? FLAG.valueNull : this.#value(index, v, source, key);
    if (flags === FLAG.valueNull || v === undefined) this.#clearValue(index);
    flags |= this.#quality(index, q, flags, source, key);
    if (a !== undefined) flags |= this.#annotation(index, a, source, key);
    else this.#annotations.delete(index);
    this.#store(index, flags);
  }

  /** Adds what `add` does with `{"v":<value>}`. */
  addNumber(row: number, value: number, source: number, key: number): void {
    if (this.#type !== ValueType.VALUE_TYPE_NUMBER) {
      this.add(row, { v: value }, source, String(key));
      return;
    }
    const index = this.#place(row);
    this.#numbers[index] = value;
    this.#annotations.delete(index);
    this.#flags[index] = FLAG.value | this.#quality(index, undefined, FLAG.value, source, '');
  }

  /** @param rowTimes the time of every row, Unix ms; shared by all columns that have a record in each row */
  build(rowTimes: Float64Array): BuiltColumn {
    const count = this.#count;
    const full = this.#rows === undefined && count === rowTimes.length;
    return {
      timestamps: full ? rowTimes : this.#ownTimes(rowTimes),
      flags: this.#packedFlags(),
      numbers: firstOf(this.#numbers, count * this.#perRecord),
      texts: this.#texts,
      qualities: this.#qualities ? firstOf(this.#qualities, count) : NO_QUALITIES,
      annotations: this.#annotations,
    };
  }

  #place(row: number): number {
    if (row === this.#lastRow) return this.#count - 1;
    const index = this.#count;
    if (row !== index && !this.#rows) {
      this.#rows = new Int32Array(this.#capacity);
      for (let i = 0; i < index; i += 1) this.#rows[i] = i;
    }
    if (this.#rows) this.#rows[index] = row;
    this.#lastRow = row;
    this.#count = index + 1;
    return index;
  }

  #store(index: number, flags: number): void {
    this.#flags[index] = flags;
    if (flags === FLAG.deleteMarker) {
      this.#clearValue(index);
      if (this.#qualities) this.#qualities[index] = 0;
      this.#annotations.delete(index);
    }
  }

  #clearValue(index: number): void {
    if (this.#perRecord === 0) this.#texts[index] = '';
    for (let i = 0; i < this.#perRecord; i += 1) this.#numbers[index * this.#perRecord + i] = this.#nan;
  }

  #value(index: number, v: unknown, source: number, key: string): number {
    switch (this.#type) {
      case ValueType.VALUE_TYPE_NUMBER: {
        const number = readNumber(v);
        if (number === undefined) throw badBody(at(source, key), 'must be a number');
        // JSON writes no infinity, but 1e999 reads as one: stored as no value (docs/reference/parameters.md#types).
        if (!Number.isFinite(number)) return FLAG.valueNull;
        this.#numbers[index] = number;
        return FLAG.value;
      }
      case ValueType.VALUE_TYPE_TEXT:
        this.#texts[index] = readText(v, source, key);
        return FLAG.value;
      case ValueType.VALUE_TYPE_TIME: {
        const ms = parseTimeValueMs(v);
        if (ms === undefined) throw badBody(at(source, key), 'must be a time such as {"$time":"2014-10-09T22:38:10Z"}');
        this.#numbers[index] = ms;
        return FLAG.value;
      }
      default: {
        const [latitude, longitude] = readCoordinates(v, source, key);
        this.#numbers[index * 2] = latitude;
        this.#numbers[index * 2 + 1] = longitude;
        return FLAG.value;
      }
    }
  }

  #quality(index: number, q: unknown, flags: number, source: number, key: string): number {
    if (q === undefined || q === null) {
      const code = flags === FLAG.value && this.#qualityOf ? this.#qualityOf(this.#valueAt(index)) : undefined;
      if (code !== undefined) {
        this.#setQuality(index, code);
        return FLAG.quality;
      }
      if (this.#qualities) this.#qualities[index] = 0;
      return q === null ? FLAG.qualityNull : 0;
    }
    if (typeof q !== 'number' || !Number.isInteger(q) || q < 0 || q > QUALITY_MAX)
      throw badBody(`data[${source}].f.${key}.q`, `must be a whole number from 0 to ${QUALITY_MAX} or null`);
    this.#setQuality(index, q);
    return FLAG.quality;
  }

  #setQuality(index: number, code: number): void {
    this.#qualities ??= new Uint16Array(this.#capacity);
    this.#qualities[index] = code;
  }

  #annotation(index: number, a: unknown, source: number, key: string): number {
    if (a !== null && (typeof a !== 'string' || isLongerThan(a, ANNOTATION_MAX)))
      throw badBody(`data[${source}].f.${key}.a`, `must be a string of at most ${ANNOTATION_MAX} characters or null`);
    if (a === null || a === '') {
      this.#annotations.delete(index);
      return FLAG.annotationNull;
    }
    this.#annotations.set(index, a);
    return FLAG.annotation;
  }

  #valueAt(index: number): number | string {
    return this.#perRecord === 0 ? (this.#texts[index] ?? '') : (this.#numbers[index] ?? this.#nan);
  }

  #ownTimes(rowTimes: Float64Array): Float64Array {
    const rows = this.#rows;
    if (!rows) return firstOf(rowTimes, this.#count);
    const times = new Float64Array(this.#count);
    for (let i = 0; i < times.length; i += 1) times[i] = rowTimes[rows[i] ?? 0] ?? 0;
    return times;
  }

  /** Returns a single byte when all records have the same. */
  #packedFlags(): Uint8Array {
    const [first = 0] = this.#flags;
    for (let i = 1; i < this.#count; i += 1) if (this.#flags[i] !== first) return firstOf(this.#flags, this.#count);
    const packed = new Uint8Array(1);
    packed[0] = first;
    return packed;
  }
}

const NO_QUALITIES = new Uint16Array(0);

/** A small array has no memory of its own before somebody takes a part of it. */
export const firstOf = <T extends Float64Array | Uint16Array | Uint8Array>(array: T, count: number): T =>
  (count === array.length ? array : array.subarray(0, count)) as T;

const at = (source: number, key: string): string => `data[${source}].f.${key}.v`;

export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);

/** JSON writes numbers so, with nothing around them. */
const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Every double is shorter, written in full. */
const MAX_NUMBER_TEXT = 1_100;

/**
 * A boolean counts as 0 or 1, and a text that is a JSON number as a whole as that number
 * (docs/reference/writing.md#checks-before-the-answer).
 */
function readNumber(v: unknown): number | undefined {
  if (typeof v === 'number') return v;
  if (typeof v === 'boolean') return Number(v);
  return typeof v === 'string' && v.length <= MAX_NUMBER_TEXT && NUMBER_TEXT.test(v) ? Number(v) : undefined;
}

function readText(v: unknown, source: number, key: string): string {
  if (typeof v === 'string' && !isLongerThan(v, TEXT_MAX)) return v;
  throw badBody(at(source, key), `must be a string of at most ${TEXT_MAX} characters`);
}

function readCoordinates(v: unknown, source: number, key: string): [latitude: number, longitude: number] {
  const pair = isJsonObject(v) ? v.$coords : v;
  if (Array.isArray(pair) && pair.length === 2) {
    const [latitude, longitude] = pair as unknown[];
    if (typeof latitude === 'number' && typeof longitude === 'number') {
      if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return [latitude, longitude];
    }
  }
  throw badBody(at(source, key), 'must be {"$coords":[latitude,longitude]} within 90 and 180 degrees');
}
