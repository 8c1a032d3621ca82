import { isDataLike } from '../detection/sample-table.ts';
import { isTimeLabel } from '../detection/time-labels.ts';
import type { Layout } from './layout.ts';

/** This many lines of a header, and characters, are remembered. */
const LINES_MAX = 100;
const CHARACTERS_MAX = 64 * 1024;
/** Programs write this behind the last line of data. */
const END = /^(?:end of (?:data|file|report)\b.*|eof)$/i;

const keyOf = (fields: readonly string[]): string => fields.map((field) => field.trim()).join('\u0001');
const filledOf = (fields: readonly string[]): number => fields.filter((field) => field.trim() !== '').length;

/**
 * A line without a time is one of these: `again` and `end`, which comments are too, are no data; `other` begins a table
 * with other columns.
 */
type HeaderLine = 'again' | 'other' | 'end' | undefined;

/**
 * Recognizes lines of a header in the middle of a file, where programs append to it, or set a second table below the
 * first one, whose values are of other columns.
 */
export class HeaderWatch {
  readonly #layout: Layout;
  readonly #known = new Set<string>();
  #characters = 0;
  /** Another table has begun with this line. */
  otherSince: number | undefined;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** A line above the data. */
  remember(fields: readonly string[]): void {
    if (fields.length < 2 || filledOf(fields) === 0 || this.#known.size >= LINES_MAX) return;
    const key = keyOf(fields);
    this.#characters += key.length;
    if (this.#characters <= CHARACTERS_MAX) this.#known.add(key);
  }

  /** @param line its number */
  lineOf(fields: readonly string[], line: number): HeaderLine {
    if (this.#known.size > 0 && this.#known.has(keyOf(fields))) {
      // Other tables may have the same title, units and widths: their names distinguish them.
      if (this.#namesColumns(fields)) this.otherSince = undefined;
      return 'again';
    }
    // In a file of several sites each site has separate comments.
    if (this.#layout.kind === 'RDB' && fields[0]?.startsWith('#')) return 'end';
    if (
      END.test(
        fields
          .map((field) => field.trim())
          .filter((field) => field !== '')
          .join(' '),
      )
    )
      return 'end';
    if (!this.#isHeader(fields)) return undefined;
    if (this.#hasSameColumns(fields)) {
      this.otherSince = undefined;
      return 'again';
    }
    this.otherSince = line;
    return 'other';
  }

  /** It names a time where the data have it, and nothing in it is a value. */
  #isHeader(fields: readonly string[]): boolean {
    const { columns, labels, format } = this.#layout;
    if (format === 'ROW' || filledOf(fields) < 2 || isDataLike({ line: 0, fields })) return false;
    const time = columns.find(({ type }) => type === 'RECORD_TIME')?.index ?? 0;
    const label = fields[time]?.trim() ?? '';
    return labels.some((label) => label !== '') && label !== '' && (label === labels[time] || isTimeLabel(label));
  }

  /** Returns whether the line names columns. Every line of a header is as good where there are no names. */
  #namesColumns(fields: readonly string[]): boolean {
    const { labels } = this.#layout;
    return labels.every((label) => label === '') || this.#hasSameColumns(fields);
  }

  #hasSameColumns(fields: readonly string[]): boolean {
    const { columns, labels } = this.#layout;
    return columns.every(
      ({ type, index }) => type === 'DISABLED' || !labels[index] || labels[index] === fields[index]?.trim(),
    );
  }
}
