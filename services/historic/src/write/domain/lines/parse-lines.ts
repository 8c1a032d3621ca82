import { type Instant, type Precision, parseInstant } from './line-time.ts';
import { LineError, type LineValue, parseValue } from './line-value.ts';

/** A message shows this many characters of a line. */
const SHOWN = 200;

/** The escapes in measurement and tags of a line are resolved. */
export type LineHead = { readonly measurement: string; readonly tags: ReadonlyMap<string, string> };

/** Fields are found in the order of the text. */
export type LineField = {
  readonly head: LineHead;
  readonly key: string;
  readonly value: LineValue;
  readonly at: Instant;
};

export type ParsedLine = {
  /** The first line is 0; empty lines and comments do not count. */
  readonly number: number;
  readonly fields: readonly LineField[];
  /** The fault is in InfluxDB's words; there are no fields then. */
  readonly problem?: string;
};

export type LinesOptions = {
  readonly precision: Precision;
  /** Lines without a time get this; Unix ms. */
  readonly arrivalMs: number;
  /** Bytes of the text were no UTF-8, and are U+FFFD now. */
  readonly isDamaged: boolean;
};

/**
 * Yields the lines of a text in InfluxDB's line protocol, each by itself: a bad one is a problem, and the next ones are read. Line breaks
 * within quotes belong to their text; a quote that never ends is a fault of its first line only.
 */
export function* parseLines(text: string, options: LinesOptions): Generator<ParsedLine> {
  // Most lines share few measurements and few sets of tags.
  const heads = new Map<string, LineHead>();
  const ends = new LineEnds(text);
  let number = 0;
  for (let from = 0; from < text.length; ) {
    const to = ends.after(from);
    const begin = skipBlanks(text, from, to);
    const end = text.charCodeAt(to - 1) === CR ? to - 1 : to;
    from = to + 1;
    if (begin >= end || text.charCodeAt(begin) === HASH) continue;
    yield parseLine(text, { begin, end, number }, heads, options);
    number += 1;
  }
}

const [CR, LF, HASH, SPACE, TAB, COMMA, EQUALS, QUOTE, BACKSLASH] = [13, 10, 35, 32, 9, 44, 61, 34, 92];
const DAMAGE = '\ufffd';

type Place = { readonly begin: number; readonly end: number; readonly number: number };

function parseLine(
  text: string,
  { begin, end, number }: Place,
  heads: Map<string, LineHead>,
  options: LinesOptions,
): ParsedLine {
  try {
    const line = text.slice(begin, end);
    if (options.isDamaged && line.includes(DAMAGE)) throw new LineError('invalid UTF-8');
    if (line.includes('\0')) throw new LineError('null character');
    return { number, fields: fieldsOf(line, heads, options) };
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    const shown = end - begin > SHOWN ? `${text.slice(begin, begin + SHOWN)}…` : text.slice(begin, end);
    return { number, fields: [], problem: `unable to parse '${shown.toWellFormed()}': ${error.message}` };
  }
}

function fieldsOf(line: string, heads: Map<string, LineHead>, { precision, arrivalMs }: LinesOptions): LineField[] {
  const headEnd = indexOfPlain(line, 0, SPACE);
  const headText = line.slice(0, headEnd);
  let head = heads.get(headText);
  if (!head) {
    head = parseHead(headText);
    heads.set(headText, head);
  }
  const fieldsBegin = skipBlanks(line, headEnd, line.length);
  if (fieldsBegin >= line.length) throw new LineError('missing fields');
  const found: { key: string; value: LineValue }[] = [];
  let at = fieldsBegin;
  for (;;) {
    const equals = indexOfPlain(line, at, EQUALS, SPACE, COMMA);
    const key = line.slice(at, equals);
    if (line.charCodeAt(equals) !== EQUALS)
      throw new LineError(key === '' ? 'missing field key' : 'invalid field format');
    if (key === '') throw new LineError('missing field key');
    const valueEnd = endOfValue(line, equals + 1);
    found.push({ key: withoutEscapes(key), value: parseValue(line.slice(equals + 1, valueEnd)) });
    at = valueEnd + 1;
    if (line.charCodeAt(valueEnd) === COMMA) continue;
    break;
  }
  const time = line.slice(at).trim();
  const instant = time === '' ? { ms: arrivalMs, below: 0 } : parseInstant(time, precision);
  return found.map(({ key, value }) => ({ head, key, value, at: instant }));
}

function parseHead(text: string): LineHead {
  const measurementEnd = indexOfPlain(text, 0, COMMA);
  const measurement = withoutEscapes(text.slice(0, measurementEnd));
  if (measurement === '') throw new LineError('missing measurement');
  const tags = new Map<string, string>();
  for (let at = measurementEnd + 1; at <= text.length && measurementEnd < text.length; ) {
    const end = indexOfPlain(text, at, COMMA);
    const equals = indexOfPlain(text, at, EQUALS);
    const key = text.slice(at, Math.min(equals, end));
    if (key === '') throw new LineError('missing tag key');
    if (equals >= end - 1) throw new LineError('missing tag value');
    const name = withoutEscapes(key);
    if (tags.has(name)) throw new LineError('duplicate tags');
    tags.set(name, withoutEscapes(text.slice(equals + 1, end)));
    at = end + 1;
  }
  return { measurement, tags };
}

/** Returns where one of these characters is, without a backslash before it; otherwise the end of the text. */
function indexOfPlain(text: string, from: number, a: number, b = a, c = a): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === a || code === b || code === c) return at;
  }
  return text.length;
}

/** Returns where a value ends: at a comma or a blank, which within quotes belong to the value. @throws LineError */
function endOfValue(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) return indexOfPlain(text, from, COMMA, SPACE);
  const quote = indexOfPlain(text, from + 1, QUOTE);
  if (quote >= text.length) throw new LineError('unbalanced quotes');
  const end = quote + 1;
  if (end < text.length && text.charCodeAt(end) !== COMMA && text.charCodeAt(end) !== SPACE)
    throw new LineError('invalid field format');
  return end;
}

const ESCAPED = /\\([,= ])/g;
const withoutEscapes = (text: string): string => (text.includes('\\') ? text.replaceAll(ESCAPED, '$1') : text);

function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at += 1;
  return at;
}

/**
 * Finds where lines end: at a line break, or at the end of the text. Within the quotes of a value a line break belongs to it. Where a quote
 * never ends, it is a fault of its line, and from there on each line break counts: nothing is read twice.
 */
class LineEnds {
  readonly #text: string;
  /** The first quote that is not behind; the end of the text where there is none. */
  #quote = -1;
  #isPlain = false;

  constructor(text: string) {
    this.#text = text;
  }

  after(from: number): number {
    const text = this.#text;
    const found = text.indexOf('\n', from);
    const first = found < 0 ? text.length : found;
    if (this.#isPlain || this.#quoteAfter(from) > first) return first;
    if (text.charCodeAt(skipBlanks(text, from, first)) === HASH) return first;
    const end = endWithQuotes(text, from);
    this.#isPlain = end === undefined;
    return end ?? first;
  }

  #quoteAfter(from: number): number {
    if (this.#quote < from) {
      const found = this.#text.indexOf('"', from);
      this.#quote = found < 0 ? this.#text.length : found;
    }
    return this.#quote;
  }
}

/** @returns undefined where the text ends within quotes */
function endWithQuotes(text: string, from: number): number | undefined {
  let [hasFields, isQuoted, isValue] = [false, false, false];
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === SPACE) hasFields = true;
    else if (code === QUOTE && (isQuoted || isValue)) isQuoted = !isQuoted;
    else if (code === LF && !isQuoted) return at;
    isValue = hasFields && code === EQUALS;
  }
  return isQuoted ? undefined : text.length;
}
