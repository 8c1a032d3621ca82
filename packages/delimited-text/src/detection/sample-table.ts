import type { Row } from '../rows/rows.ts';
import { readClock } from '../times/auto-time.ts';
import { isWholeNumber } from '../values/numbers.ts';
import { SAMPLE_ROWS } from './sample.ts';
import { isTimeLabel } from './time-labels.ts';

/** A table has the rows of a sample that are data, and what stands above them. */
export interface Table {
  /** These rows have data; what looks like a header is left out. */
  readonly data: readonly Row[];
  readonly count: number;
  /** This line names a time and the columns; 0: none was found. */
  readonly namesLine: number;
  /** Columns of the widest data row or of the labels, whichever has more. */
  readonly width: number;
  readonly dataWidth: number;
  /** Labels in the last line with any before the data; '' where a column has none. */
  readonly labels: readonly string[];
  /** All texts above the data. */
  readonly above: readonly string[];
  /** Returns the texts of a column that are not blank, without the blanks around them. */
  readonly textsOf: (index: number) => readonly string[];
}

/** Returns the most common number of fields of rows that have data, above one if there is such a row. */
export function commonWidth(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  const count = (some: readonly Row[]) => {
    for (const { fields } of some)
      if (fields.length > 1) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  };
  count(rows.filter(isDataLike));
  if (counts.size === 0) count(rows);
  return [...counts].reduce((best, count) => (count[1] > best[1] ? count : best), [rows.length > 0 ? 1 : 0, 0])[0];
}

export const isDateLike = (text: string): boolean => DATE_LIKE.test(text);
const DATE_LIKE =
  /^\d{1,4}[-/.](?:\d{1,2}|\p{L}{3,9})[-/.]\d{1,4}(?:\D|$)|^\d{1,2}\.? \p{L}{3,9}\.?,? \d{2,4}|^\p{L}{3,9}\.? \d{1,2},? \d{4}/u;

/** It has a date, or numbers: names have neither. */
export function isDataLike({ fields }: Row): boolean {
  let [filled, numbers] = [0, 0];
  for (const field of fields) {
    const text = field.trim();
    if (text === '') continue;
    filled += 1;
    if (DATE_LIKE.test(text)) return true;
    if (isWholeNumber(text, '.') || isWholeNumber(text, ',') || (text.includes(':') && readClock(text))) numbers += 1;
  }
  return numbers * 3 >= filled && numbers > 0;
}

/** This share of the rows after the first data row must be data. */
const DATA_SHARE = 0.6;

/** It names a time and most of the columns. */
const isNamesRow = ({ fields }: Row, width: number): boolean => {
  const filled = fields.map((field) => field.trim()).filter((text) => text !== '');
  return (
    filled.length >= 2 &&
    filled.length * 5 >= width * 3 &&
    filled.some(isTimeLabel) &&
    !filled.some((text) => /^[\d.,:-]+$/.test(text))
  );
};

/** Finds where rows begin that are data with few exceptions. */
function dataStart(rows: readonly Row[], width: number): { readonly start: number; readonly namesLine: number } {
  const isData = rows.map(
    (row) =>
      row.fields.length * 5 >= Math.min(width, 100) * 3 && (width < 2 || row.fields.length > 1) && isDataLike(row),
  );
  const names = rows.findIndex((row, n) => !isData[n] && isNamesRow(row, width));
  // A preamble may have dates and numbers too: names end it.
  const hasNames = names >= 0 && isData.indexOf(true, names) >= 0;
  const from = hasNames ? names : 0;
  const namesLine = hasNames ? (rows[names]?.line ?? 0) : 0;
  let left = isData.slice(from).filter(Boolean).length;
  for (let n = from; n < rows.length; n += 1) {
    const isRun = isData[n] && (isData[n + 1] || n === rows.length - 1 || left === 1);
    if (isRun && left >= (rows.length - n) * DATA_SHARE) return { start: n, namesLine };
    if (isData[n]) left -= 1;
  }
  return { start: Math.max(0, isData.lastIndexOf(true)), namesLine };
}

/**
 * @param headerLines lines that are known to be none of the data; 0: nothing is known
 */
export function tableOf(
  rows: readonly Row[],
  headerLines: number,
  knownLabels?: readonly string[],
  areAllData = headerLines > 0,
): Table {
  const after = rows.filter(({ line }) => line > headerLines);
  const width = commonWidth(after.slice(0, SAMPLE_ROWS));
  const { start, namesLine } = areAllData ? { start: 0, namesLine: 0 } : dataStart(after, width);
  const all = after.slice(start);
  const some = areAllData ? all.filter(isDataLike) : all;
  const data = some.length > 0 ? some : all;
  const before = areAllData ? rows.filter(({ line }) => line <= headerLines) : after.slice(0, start);
  const named = before.findLast(
    ({ fields }) =>
      fields.filter((field) => field.trim() !== '').length * 2 > Math.min(fields.length, width) && fields.length > 1,
  );
  const labels = knownLabels ?? named?.fields.map((field) => field.trim()) ?? [];
  const widest = data.reduce((most, { fields }) => Math.max(most, fields.length), 0);
  const texts = new Map<number, readonly string[]>();
  const textsOf = (index: number): readonly string[] => {
    const known = texts.get(index);
    if (known) return known;
    const found = data.flatMap(({ fields }) => (fields[index]?.trim() ? [fields[index].trim()] : []));
    texts.set(index, found);
    return found;
  };
  return {
    data,
    count: data.length,
    width: Math.max(widest, labels.length),
    dataWidth: widest,
    namesLine,
    labels,
    above: before.flatMap(({ fields }) => fields),
    textsOf,
  };
}
