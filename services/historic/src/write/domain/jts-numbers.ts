import { tryParseInstantMs, tryParseUtcBytes } from '@catchment/time';
import { isStorable } from '../../series/index.ts';

/** The records of a document hold numbers alone, without an object for each. */
export class NumberRows {
  /** The times in Unix ms are storable, in the document's order. */
  readonly times: number[] = [];
  /** The fields of each record end at these indexes, where those of the next record begin. */
  readonly ends: number[] = [];
  /** Each field has its column index; they ascend within a record. */
  readonly keys: number[] = [];
  readonly values: number[] = [];

  get length(): number {
    return this.times.length;
  }
}

const [SPACE, QUOTE, COMMA, PLUS, MINUS, DOT, ZERO, NINE] = [0x20, 0x22, 0x2c, 0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [UPPER_E, LOWER_E, CLOSE] = [0x45, 0x65, 0x7d];
const DATA = '"data"';
/** The parts of a record have these separators; a space is any white space, or none. */
const BEFORE_ROWS = markOf(' : [');
const BEFORE_TIME = markOf(' { "ts" : "');
const BEFORE_FIELDS = markOf('" , "f" : { ');
const BEFORE_KEY = markOf(' "');
const BEFORE_VALUE = markOf('" : { "v" : ');
const AFTER_VALUE = markOf(' } ');
const AFTER_ROW = markOf('} } ');
const AFTER_ROWS = markOf('] } ');
const MAX_KEY_DIGITS = 9;
/** An integer of this many digits is exact in a double, as these powers of ten are: one division rounds rightly. */
const EXACT_DIGITS = 15;
const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

type Source = {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly text: string;
  /** An index of the bytes plus this is that of the text, behind the last character of several bytes. */
  readonly shift: number;
};

/**
 * Reads a JTS document whose records are written as nearly all clients do: `data` last, `ts` before `f`, ISO times, and
 * numbers as `{"v":1.5}`. A parser that makes three objects of each record takes four times as long.
 * @param text what the bytes say
 * @returns the document without its records, still JSON, and the records; undefined for anything else, which JSON.parse has
 *   to understand or refuse
 */
export function readNumberRows(
  bytes: Uint8Array,
  text: string,
): { readonly head: string; readonly rows: NumberRows } | undefined {
  const key = text.indexOf(DATA);
  if (key < 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Characters of several bytes can only come before: there are none in the records that are read here.
  const source = { bytes, view, text, shift: text.length - bytes.length };
  const rows = new NumberRows();
  const end = readRows(source, pass(source, key + DATA.length - source.shift, BEFORE_ROWS), rows);
  if (end < 0 || pass(source, end, AFTER_ROWS) !== bytes.length) return undefined;
  return { head: `${text.slice(0, key)}${DATA}:[]}`, rows };
}

/** Reads records up to the bracket that ends them. @returns the index of the bracket, -1 for anything else */
function readRows(source: Source, begin: number, rows: NumberRows): number {
  const { bytes } = source;
  const { times, ends, keys, values } = rows;
  for (let at = begin; ; at += 1) {
    const time = pass(source, at, BEFORE_TIME);
    const timeEnd = time < 0 ? -1 : endOfText(bytes, time);
    const ms = timeEnd < 0 ? undefined : timeOf(source, time, timeEnd);
    if (ms === undefined || !isStorable(ms)) return -1;
    at = pass(source, timeEnd, BEFORE_FIELDS);
    if (at < 0) return -1;
    let last = -1;
    if (bytes[at] !== CLOSE) {
      for (;;) {
        const digits = bytes[at] === QUOTE ? at + 1 : pass(source, at, BEFORE_KEY);
        const digitsEnd = skipDigits(bytes, digits);
        const key = indexOf(bytes, digits, digitsEnd);
        const value = pass(source, digitsEnd, BEFORE_VALUE);
        const valueEnd = skipNumber(bytes, value);
        if (key <= last || valueEnd < 0) return -1;
        const number = numberOf(source, value, valueEnd);
        at =
          bytes[valueEnd] === CLOSE && !isSpace(bytes[valueEnd + 1])
            ? valueEnd + 1
            : pass(source, valueEnd, AFTER_VALUE);
        if (at < 0 || !Number.isFinite(number)) return -1;
        keys.push(key);
        values.push(number);
        last = key;
        if (bytes[at] !== COMMA) break;
        at += 1;
      }
    }
    at =
      bytes[at] === CLOSE && bytes[at + 1] === CLOSE && bytes[at + 2] === COMMA ? at + 2 : pass(source, at, AFTER_ROW);
    times.push(ms);
    ends.push(keys.length);
    if (at < 0 || bytes[at] !== COMMA) return at;
  }
}

type Mark = {
  readonly pattern: readonly number[];
  /** The length without white space. */
  readonly length: number;
  /** The first and last four bytes of the mark then, which are all of it; absent in short marks. */
  readonly ends: { readonly first: number; readonly last: number } | undefined;
};

function markOf(text: string): Mark {
  const dense = Buffer.from(text.replaceAll(' ', ''));
  const { length } = dense;
  const ends =
    length >= 4 && length <= 8 ? { first: dense.readUInt32BE(0), last: dense.readUInt32BE(length - 4) } : undefined;
  return { pattern: [...Buffer.from(text)], length, ends };
}

/** Returns where `mark` ends that begins at `at`; -1 where there is something else. */
function pass({ bytes, view }: Source, at: number, { pattern, length, ends }: Mark): number {
  if (at < 0) return -1;
  if (ends && at + length < bytes.length) {
    // Nearly always there is no white space.
    const isDense = view.getUint32(at) === ends.first && view.getUint32(at + length - 4) === ends.last;
    if (isDense && !isSpace(bytes[at + length])) return at + length;
  }
  let to = at;
  for (let n = 0; n < pattern.length; n += 1) {
    const sign = pattern[n];
    if (sign !== SPACE) {
      if (bytes[to] !== sign) return -1;
      to += 1;
    } else while (isSpace(bytes[to])) to += 1;
  }
  return to;
}

const isSpace = (byte: number | undefined): boolean =>
  byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;

function endOfText(bytes: Uint8Array, begin: number): number {
  for (let at = begin; at < bytes.length; at += 1) if (bytes[at] === QUOTE) return at;
  return -1;
}

/** No form of a time has an escape, nor anything that would have to be escaped. */
const timeOf = ({ bytes, text, shift }: Source, begin: number, end: number): number | undefined =>
  tryParseUtcBytes(bytes, begin, end) ?? tryParseInstantMs(text.slice(begin + shift, end + shift));

function skipDigits(bytes: Uint8Array, at: number): number {
  let to = at;
  for (;;) {
    const byte = bytes[to];
    if (byte === undefined || byte < ZERO || byte > NINE) return to;
    to += 1;
  }
}

/** Returns the column index that digits name, without leading zeros; -1 for anything else. */
function indexOf(bytes: Uint8Array, begin: number, end: number): number {
  const length = end - begin;
  if (length < 1 || length > MAX_KEY_DIGITS || (length > 1 && bytes[begin] === ZERO)) return -1;
  let number = 0;
  for (let at = begin; at < end; at += 1) number = number * 10 + ((bytes[at] ?? 0) - ZERO);
  return number;
}

/** Returns where a number ends as JSON writes it; -1 for anything else. */
function skipNumber(bytes: Uint8Array, at: number): number {
  if (at < 0) return -1;
  const whole = bytes[at] === MINUS ? at + 1 : at;
  let to = skipDigits(bytes, whole);
  if (to === whole || (bytes[whole] === ZERO && to > whole + 1)) return -1;
  if (bytes[to] === DOT) {
    const decimals = to + 1;
    to = skipDigits(bytes, decimals);
    if (to === decimals) return -1;
  }
  if (bytes[to] !== LOWER_E && bytes[to] !== UPPER_E) return to;
  const sign = bytes[to + 1];
  const exponent = sign === PLUS || sign === MINUS ? to + 2 : to + 1;
  to = skipDigits(bytes, exponent);
  return to === exponent ? -1 : to;
}

function numberOf({ bytes, text, shift }: Source, begin: number, end: number): number {
  const whole = bytes[begin] === MINUS ? begin + 1 : begin;
  let number = 0;
  let decimals = 0;
  for (let at = whole; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === DOT) decimals = end - at - 1;
    else number = number * 10 + (byte - ZERO);
    if (at - whole > EXACT_DIGITS || byte > NINE) return Number(text.slice(begin + shift, end + shift));
  }
  number /= POWERS[decimals] ?? Number.NaN;
  return whole > begin ? -number : number;
}
