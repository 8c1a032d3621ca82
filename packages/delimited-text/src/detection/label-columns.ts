import type { ColumnSettings, Join } from '../records/layout.ts';
import type { Row } from '../rows/rows.ts';
import type { Head } from './sample.ts';
import { isClockLabel, isTimeLabel } from './time-labels.ts';

type Time = { readonly index: number; readonly joins?: readonly Join[] | undefined };

/** Labels that do not stand above their columns. */
interface Shifted {
  readonly labels: readonly string[];
  /** People get this sentence where nothing says which columns the labels are of. */
  readonly guess?: string;
}

/**
 * Labels where each has its column. Fewer than columns are those of files that write day and time of day in two columns and name them
 * once, or that number their rows in a column without a name; of any other file nobody knows which column has which name.
 * @param data rows below them
 */
export function labelsOver(labels: readonly string[], data: readonly Row[], time: Time): Shifted {
  const count = labels.findLastIndex((label) => label !== '') + 1;
  const width = filledWidth(data);
  if (count === 0 || count >= width) return { labels };
  const columns = new Set([time.index, ...(time.joins ?? []).map(({ column = time.index }) => column)]);
  const places = [...columns].toSorted((a, b) => a - b);
  const [first = 0] = places;
  const areBeside = places.every((place, n) => place === first + n);
  const more = width - count;
  if (areBeside && more === places.length - 1 && isTimeLabel(labels[first] ?? '') && !isOnlyClock(labels[first + 1]))
    return { labels: [...labels.slice(0, first + 1), ...Array<string>(more).fill(''), ...labels.slice(first + 1)] };
  if (more === 1 && first > 0 && isTimeLabel(labels[first - 1] ?? '') && !isTimeLabel(labels[first] ?? ''))
    return { labels: ['', ...labels] };
  return { labels: [], guess: nobodyKnows(count, width) };
}

const isOnlyClock = (label = ''): boolean => isClockLabel(label) && label.length < 12;

const nobodyKnows = (count: number, width: number): string =>
  `Lines have ${width} fields, and there are ${count} names: columns are numbered, since a name may be of another one. A comma that is both the decimal separator and the delimiter does that; export the file with semicolons or decimal points then.`;

/** Counts up to the last column that has something in most rows. */
function filledWidth(data: readonly Row[]): number {
  const counts: number[] = [];
  for (const { fields } of data)
    fields.forEach((field, n) => {
      if (field.trim() !== '') counts[n] = (counts[n] ?? 0) + 1;
    });
  return counts.findLastIndex((count) => (count ?? 0) * 2 > data.length) + 1;
}

/** Returns what the settings say of the time. */
export const timeIn = (columns: readonly ColumnSettings[]): Time | undefined =>
  columns.find(({ type }) => type === 'RECORD_TIME');

/**
 * Splits the lines above the data of a file that is delimited by blanks, where two blanks or more between the texts
 * make as many of them as there are columns: `Date & Time   Temp` are two names.
 */
export function wideBlanks(rows: readonly Row[], head: Head, headerLines: number): Row[] {
  const lines = head.text.split(/\r\n|\n|\r/, headerLines);
  const width = filledWidth(rows.filter(({ line }) => line > headerLines));
  const isFit = (count: number) => count === width || count === width - 1;
  return rows.map((row) => {
    if (row.line > headerLines || row.fields.length === width) return row;
    const fields = (lines[row.line - 1] ?? '').trim().split(/\s{2,}/);
    return isFit(fields.length) ? { ...row, fields } : row;
  });
}
