import { tryParseInstantMs, tryParseUtcBytes } from '@catchment/time';
import { isStorable } from './store-range.ts';

/** The records of a document that holds numbers alone, without an object for each. */
export class NumberRows {
  /** Of each record, Unix ms; as the document has them, storable. */
  readonly times: number[] = [];
  /** Where the fields of each record end, and those of the next one begin. */
  readonly ends: number[] = [];
  /** Column index of each field; ascending within a record. */
  readonly keys: number[] = [];
  readonly values: number[] = [];

  get length(): number {
    return this.times.length;
  }
}

const DATA = '"data"';
const [BEFORE_TIME, BEFORE_FIELDS, AFTER_KEY] = ['{"ts":"', ',"f":{', '":{"v":'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];
const [QUOTE, COMMA, PLUS, MINUS, DOT, ZERO, NINE, CLOSE, CLOSE_ARRAY] = [...Buffer.from('",+-.09}]')] as [
  ...Bytes<5>,
  ...Bytes<4>,
];
type Bytes<N extends number, T extends number[] = []> = T['length'] extends N ? T : Bytes<N, [...T, number]>;
