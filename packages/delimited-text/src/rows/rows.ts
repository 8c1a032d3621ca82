import { invalid } from '@catchment/errors';

export interface RowSettings {
  /** A delimiter has 1-5 characters, or is one of the names in `NAMED_DELIMITERS` (docs/reference/acquisition.md#text-parser). */
  readonly delimiter: string;
  /** Surrounds a field, and is doubled inside of it; empty: none. */
  readonly textQualifier: string;
  /** Each fixed column has this many characters, from the beginning of the line; the last goes to its end. Empty: delimited. */
  readonly columnWidths?: readonly number[];
}

export interface Row {
  /** The row ends on this line of the file, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

const NAMED_DELIMITERS: Readonly<Record<string, string>> = { TAB: '\t', SPACE: ' ', SEMICOLON: ';', PIPE: '|' };
/** Also what a text qualifier that is never closed can swallow before the file is refused. */
export const ROW_CHARACTERS_MAX = 1024 * 1024;
/** A row has at most this many fields: one without a character takes memory too. */
const ROW_FIELDS_MAX = 10_000;

function delimiterOf(name: string): string {
  const delimiter = Object.hasOwn(NAMED_DELIMITERS, name) ? NAMED_DELIMITERS[name]! : name;
  if (delimiter.length >= 1 && delimiter.length <= 5 && !/[\r\n]/.test(delimiter)) return delimiter;
  throw invalid('INVALID_DELIMITER', 'delimiter: must be 1 to 5 characters, TAB, SPACE, SEMICOLON or PIPE');
}

function qualifierOf(text: string, delimiter: string): string | false {
  if (text.length > 1 || /[\r\n]/.test(text) || (text !== '' && delimiter.includes(text))) {
    throw invalid('INVALID_TEXT_QUALIFIER', 'textQualifier: must be at most 1 character that is not in delimiter');
  }
  return text === '' ? false : text;
}

/** @throws DomainError invalid_argument: a setting breaks its rule */
export function checkRowSettings({ delimiter: name, textQualifier }: RowSettings): void {
  qualifierOf(textQualifier, delimiterOf(name));
}

/** This many characters of each field, and of a row, are shown. */
const SHOWN_CHARACTERS = 400;

/** Writes the beginning of a row as a text for people. */
export function rowText(fields: readonly string[], { delimiter, columnWidths = [] }: RowSettings): string {
  const between = columnWidths.length > 0 ? '' : delimiterOf(delimiter);
  let text = '';
  for (const [n, field] of fields.entries()) {
    if (text.length > SHOWN_CHARACTERS) break;
    text += `${n === 0 ? '' : between}${field.slice(0, SHOWN_CHARACTERS)}`;
  }
  return text;
}

/** No line contains this delimiter, for fixed columns: a line with these characters is put together again. */
const NO_DELIMITER = '\u0001\u0002\u0003';

function fixedFields(line: string, widths: readonly number[]): string[] {
  let from = 0;
  return widths.map((width, n) => {
    const field = line.slice(from, n === widths.length - 1 ? undefined : from + width);
    from += width;
    return field;
  });
}

/**
 * Returns the fields of a line that is a whole row; undefined: whether it is one depends on the lines after it, or on more than this looks
 * at.
 */
type Splitter = (line: string) => string[] | undefined;

function splitterOf(delimiter: string, quote: string | false): Splitter {
  if (delimiter === NO_DELIMITER) return (line) => [line];
  const separator = delimiter === ' ' ? / +/ : delimiter;
  const split: Splitter = (line) => line.split(separator, ROW_FIELDS_MAX + 1);
  return quote === false
    ? split
    : (line) => (line.includes(quote) ? quotedFields(line, delimiter, quote) : split(line));
}

/** A qualifier within a field that does not begin with one is a character like any other. */
function quotedFields(line: string, delimiter: string, quote: string): string[] | undefined {
  const fields: string[] = [];
  for (let at = 0; ; ) {
    const isQuoted = line.startsWith(quote, at);
    const close = isQuoted ? line.indexOf(quote, at + 1) : -1;
    const end = isQuoted ? close + 1 : line.indexOf(delimiter, at);
    if (isQuoted && (close < 0 || (end < line.length && !line.startsWith(delimiter, end)))) return undefined;
    if (isQuoted) fields.push(line.slice(at + 1, close));
    else fields.push(line.slice(at, end < 0 ? undefined : end));
    if (end < 0 || end >= line.length || fields.length > ROW_FIELDS_MAX) return fields;
    at = end + delimiter.length;
    if (at === line.length) return [...fields, ''];
  }
}

/**
 * Yields the rows of a text; lines end with LF, CRLF or CR, blank ones are skipped. With SPACE, runs of blanks are one
 * delimiter and those at the ends of a line none. Lines that are rows by themselves are split at once, others character
 * by character.
 * @param recovers called with a line with a text qualifier that is never closed, whose field is then what it is to the
 *   end of the line; absent: it is refused
 * @throws DomainError invalid_argument: a setting breaks its rule, a row is longer than `ROW_CHARACTERS_MAX` or has
 *   more fields than `ROW_FIELDS_MAX`, or a text qualifier is not closed
 */
export async function* readRows(
  text: AsyncIterable<string>,
  settings: RowSettings,
  recovers?: (line: number) => void,
): AsyncGenerator<Row> {
  const widths = settings.columnWidths ?? [];
  const isFixed = widths.length > 0;
  const delimiter = isFixed ? NO_DELIMITER : delimiterOf(settings.delimiter);
  const quote = isFixed ? false : qualifierOf(settings.textQualifier, delimiter);
  const fieldsOf = isFixed
    ? (record: string[]) => fixedFields(record.join(delimiter), widths)
    : delimiter === ' '
      ? (record: string[]) => record.filter((field) => field !== '')
      : (record: string[]) => record;
  const rowOf = (line: number, record: string[]): Row | undefined => {
    if (record.length > ROW_FIELDS_MAX) throw tooWide(line);
    const fields = fieldsOf(record);
    const isBlank = (isFixed || fields.length <= 1) && fields.every((field) => field.trim() === '');
    return isBlank ? undefined : { line, fields };
  };
  const split = splitterOf(delimiter, quote);
  const chunks = text[Symbol.asyncIterator]();
  let rest = '';
  let line = 0;
  let opened = 0;
  /** More text than this is needed before a row that has not ended is looked at again. */
  let needed = 0;
  try {
    for (let isEnd = false; !isEnd; ) {
      const next = await chunks.next();
      isEnd = next.done === true;
      if (!isEnd) rest += next.value;
      if (rest.length < needed && !isEnd) continue;
      needed = 0;
      let from = 0;
      while (from < rest.length) {
        const found = rest.indexOf('\n', from);
        const end = found < 0 ? rest.length : found;
        const whole =
          end - from > ROW_CHARACTERS_MAX
            ? undefined
            : rest.slice(from, rest[end - 1] === '\r' && end > from ? end - 1 : end);
        const isLine = whole !== undefined && (found >= 0 || isEnd) && !whole.includes('\r');
        const record = isLine ? split(whole) : undefined;
        if (record !== undefined) {
          from = end + 1;
          line += 1;
          const row = rowOf(line, record);
          if (row) yield row;
          continue;
        }
        const place = { from, isEnd, delimiter, quote, recovers: recovers !== undefined };
        let read = goesOn(rest, place, found) ? UNENDED : recordAt(rest, place);
        if (read.is === 'unended' && (isEnd || read.isStray || rest.length - from > ROW_CHARACTERS_MAX)) {
          // A field goes on beyond the end of a line only in a qualifier.
          if (read.openAt === undefined) throw tooLong(line + 1);
          if (!read.isStray) opened += 1;
          if (!recovers || opened > OPEN_MAX) throw isEnd ? neverClosed(line + 1) : tooLong(line + 1);
          const ended = literally(rest, place, read.openAt);
          if (!ended) throw tooLong(line + 1);
          recovers(line + 1);
          read = ended;
        }
        if (read.is === 'unended') {
          needed = from === 0 ? Math.ceil(rest.length * 1.5) : 0;
          break;
        }
        from = read.end;
        line += read.lines;
        const row = rowOf(line, read.fields);
        if (row) yield row;
      }
      rest = rest.slice(from);
      if (needed > 0) needed = Math.min(needed, ROW_CHARACTERS_MAX + 1);
    }
  } finally {
    await chunks.return?.();
  }
}

/** This many lines of a file may have a qualifier that is never closed: each is looked for through `ROW_CHARACTERS_MAX` characters. */
const OPEN_MAX = 100;

type WholeRecord = { readonly is: 'record'; readonly fields: string[]; readonly end: number; readonly lines: number };
/** The text ends within it; `openAt`: with a qualifier that is open since there; `isStray`: what closes it is in another line and opens another field. */
type Unended = { readonly is: 'unended'; readonly openAt: number | undefined; readonly isStray?: boolean };
const UNENDED: Unended = { is: 'unended', openAt: undefined };

/** Returns whether the text neither ends the line nor opens a field that goes over several: it need not be read character by character. */
const goesOn = (text: string, { from, isEnd, quote }: Place, lineEnd: number): boolean =>
  lineEnd < 0 && !isEnd && !text.includes('\r', from) && (quote === false || !text.includes(quote, from));

type Place = {
  readonly from: number;
  /** There is no text behind. */
  readonly isEnd: boolean;
  readonly delimiter: string;
  readonly quote: string | false;
  /** A qualifier that is closed in another line closes its field. */
  readonly recovers: boolean;
  /** Qualifiers that are characters like others. */
  readonly literal?: ReadonlySet<number>;
};

/** Reads a row of any form, as csv-parse would read it: one that goes over several lines, or lines that end with CR. */
function recordAt(text: string, { from, isEnd, delimiter, quote, recovers, literal }: Place): WholeRecord | Unended {
  const fields: string[] = [];
  let field = '';
  let openAt: number | undefined;
  let lines = 1;
  const limit = Math.min(text.length, from + ROW_CHARACTERS_MAX + 1);
  for (let at = from; at < limit; ) {
    const character = text[at]!;
    if (openAt !== undefined) {
      if (character !== quote) {
        if (character === '\n' || character === '\r') lines += 1;
        field += character;
        at += 1;
        continue;
      }
      if (!isEnd && at + delimiter.length >= text.length) break;
      const next = text[at + 1];
      if (next === quote) {
        field += character;
        at += 2;
        continue;
      }
      // A text behind the qualifier is neither the end of the field nor of the row: the qualifier was a character like
      // others.
      if (next !== undefined && next !== '\n' && next !== '\r' && !text.startsWith(delimiter, at + 1)) {
        if (recovers && /[\n\r]/.test(field)) return { is: 'unended', openAt, isStray: true };
        field = `${quote}${field}${character}`;
      }
      openAt = undefined;
      at += 1;
      continue;
    }
    if (character === quote && field === '' && !isAfterQuote(text, at, from, quote, delimiter) && !literal?.has(at)) {
      openAt = at;
      at += 1;
    } else if (character === '\n') {
      return { is: 'record', fields: [...fields, field], end: at + 1, lines };
    } else if (character === '\r') {
      if (!isEnd && at + 1 >= text.length) break;
      return { is: 'record', fields: [...fields, field], end: at + (text[at + 1] === '\n' ? 2 : 1), lines };
    } else if (text.startsWith(delimiter, at)) {
      fields.push(field);
      if (fields.length > ROW_FIELDS_MAX) return { is: 'record', fields, end: at, lines };
      field = '';
      at += delimiter.length;
    } else {
      field += character;
      at += 1;
    }
  }
  if (!isEnd || limit < text.length || openAt !== undefined) return { is: 'unended', openAt };
  return { is: 'record', fields: [...fields, field], end: text.length, lines };
}

/** An empty field between qualifiers has ended. */
const isAfterQuote = (text: string, at: number, from: number, quote: string, delimiter: string): boolean =>
  at - 2 >= from &&
  text[at - 1] === quote &&
  text[at - 2] === quote &&
  (at - 2 === from || text.startsWith(delimiter, at - 2 - delimiter.length));

/** Returns the row with the qualifier, and what else is open on its line, taken for characters like others. */
function literally(text: string, place: Place, openAt: number): WholeRecord | undefined {
  const literal = new Set([openAt]);
  for (let n = 0; n < OPEN_MAX; n += 1) {
    const record = recordAt(text, { ...place, literal });
    if (record.is === 'record') return record;
    if (record.openAt === undefined) return undefined;
    literal.add(record.openAt);
  }
  return undefined;
}

const neverClosed = (line: number) =>
  invalid('INVALID_ROW', `line ${line}: Quote Not Closed: a text qualifier is opened in it, and never closed`);
const tooLong = (line: number) => invalid('ROW_TOO_LONG', `line ${line}: longer than ${ROW_CHARACTERS_MAX} characters`);
const tooWide = (line: number) => invalid('ROW_TOO_LONG', `line ${line}: has more than ${ROW_FIELDS_MAX} fields`);
