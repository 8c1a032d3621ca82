import { printable } from '@catchment/ids';
import { UNDECODABLE } from '../rows/decode.ts';

/** The reason why a line or a field of it was not read. */
export interface Failure {
  readonly line: number;
  /** The first column is 1; absent for the whole line. */
  readonly column?: number;
  readonly reason: string;
}

/** The file itself does not say this, and it was assumed of all of it. */
export interface Guess {
  /**
   * DECIMAL_SEPARATOR: a comma or point may part groups or decimals. ENCODING: bytes that are no UTF-8. TYPE: a column that has
   * numbers and others. NAMES: there are fewer names than columns.
   */
  readonly of: 'DECIMAL_SEPARATOR' | 'ENCODING' | 'TYPE' | 'NAMES';
  /** The first column is 1; absent for the whole file. */
  readonly column?: number;
  /** A sentence for people. */
  readonly text: string;
}

/** Counts so far. */
export interface TextReport {
  /** Lines with data; those that a filter leaves out are none. */
  lines: number;
  /** Lines whose time, and at least one series, could be read. */
  parsed: number;
  failed: number;
  /** These fields could not be read, though their lines could. */
  unreadableFields: number;
  firstFailure?: Failure;
  firstUnreadable?: Failure;
  /** Lines that have the names of the columns once more: they are left out, and none of `lines`. */
  repeatedHeaders: number;
  /** Lines with bytes that are no characters of the encoding, of the data and of the header; what has them fails as well. */
  undecodableLines: number;
  firstUndecodable?: Failure;
  /** Lines that were read and whose time is more than a day after the clock of the server. */
  aheadLines: number;
  firstAhead?: Failure;
  /** These guesses were made before the first line is read. */
  guesses: readonly Guess[];
}

export const guessedEncoding = (encoding: string): Guess => ({
  of: 'ENCODING',
  text: `The text is no UTF-8: it is taken for ${encoding}. Set parser.encoding where it is another.`,
});

export const emptyReport = (guesses: readonly Guess[] = []): TextReport => ({
  lines: 0,
  parsed: 0,
  failed: 0,
  unreadableFields: 0,
  repeatedHeaders: 0,
  undecodableLines: 0,
  aheadLines: 0,
  guesses,
});

/** `line 12, column 3: 'x' is no number` */
export const failureText = ({ line, column, reason }: Failure): string =>
  `line ${line}${column === undefined ? '' : `, column ${column}`}: ${reason}`;

/** A failure shows this many characters of a field. */
const SHOWN = 40;
/** Reports are kept and shown: a field may hold anything. */
export const shownField = (field = ''): string =>
  `'${printable((field.length > SHOWN ? `${field.slice(0, SHOWN)}…` : field).replaceAll(UNDECODABLE, '?'))}'`;
