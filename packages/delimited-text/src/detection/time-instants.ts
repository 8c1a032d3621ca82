import { patternOf } from '../times/auto-time.ts';
import { resolveTime } from '../times/time-resolve.ts';
import type { Table } from './sample-table.ts';
import type { FoundTime } from './time-columns.ts';
import { dateForm, packedForm } from './time-forms.ts';
import { isTimeLabel } from './time-labels.ts';

/** Rows that are compared. */
const COMPARED = 20;
const QUARTER_MS = 15 * 60_000;
const FARTHEST_MS = 14 * 60 * 60_000;
const IS_UTC = /(?:^|[^a-z])(?:utc|gmt|zulu|unix\w*|epoch\w*)(?![a-z])/i;

type Reader = (row: number) => number | undefined;

/**
 * Finds the columns of the instant, which no zone can spoil, where a file has each time twice: as the local time, and
 * as Unix time or in UTC.
 * @param found the columns that were found first
 */
export function asInstant(table: Table, unwanted: ReadonlySet<number>, found: FoundTime): FoundTime | undefined {
  const { joins, index } = found.time;
  const labelOf = (column: number) => table.labels[column] ?? '';
  const columns = joins.map(({ column = index }) => column);
  if (joins.some(({ field }) => field === 'TIMEZONE') || columns.some((column) => IS_UTC.test(labelOf(column))))
    return undefined;
  const readWithZone = readerOf(
    table,
    joins.map(({ column = index, format }) => ({ column, format })),
  );
  if (
    table.data
      .slice(0, COMPARED)
      .some((row) => /(?:z|[+-]\d{2}:?\d{2})$/i.test(row.fields[columns.at(-1) ?? 0]?.trim() ?? ''))
  )
    return undefined;
  const candidates: FoundTime[] = [];
  for (let column = 0; column < table.width; column += 1) {
    if (unwanted.has(column) || columns.includes(column) || table.textsOf(column).length * 2 < table.count) continue;
    const label = labelOf(column);
    if (!IS_UTC.test(label) && !isTimeLabel(label)) continue;
    const unix = packedForm(table.textsOf(column));
    if (unix && /^x$/i.test(unix.format)) candidates.push(timeOf([{ column, format: unix.format }]));
    if (!IS_UTC.test(label)) continue;
    const form = dateForm(table.textsOf(column));
    if (form?.hasClock) candidates.push(timeOf([{ column, format: form.format }]));
    // A day and a time of day that both say so, as the two that were found are parted.
    const clock = joins.length === 2 && IS_UTC.test(labelOf(column + 1)) ? joins[1]?.format : undefined;
    if (form && !form.hasClock && joins.length === 2 && IS_UTC.test(labelOf(column + 1)))
      candidates.push(
        timeOf([
          { column, format: form.format },
          { column: column + 1, format: clock ?? '' },
        ]),
      );
  }
  return candidates.find(({ time }) =>
    isSameMoment(
      table,
      readWithZone,
      readerOf(
        table,
        time.joins.map(({ column = time.index, format }) => ({ column, format })),
      ),
    ),
  );
}

type Part = { readonly column: number; readonly format?: string | undefined };

const timeOf = (parts: readonly Part[]): FoundTime => ({
  time: {
    index: parts[0]?.column ?? 0,
    joins: parts.map(({ column, format }) => ({ column, field: 'TIME', ...(format && { format }) })),
  },
});

function readerOf({ data }: Table, parts: readonly Part[]): Reader {
  const patterns = parts.map(({ column, format }) => ({ column, pattern: patternOf(format, parts.length > 1) }));
  return (row) => {
    const read = patterns.map(({ column, pattern }) => pattern.read(data[row]?.fields[column] ?? '', 'SMART'));
    if (read.some((time) => time === undefined)) return undefined;
    const time = resolveTime(Object.assign({}, ...read), 0);
    return time && ('instantMs' in time ? time.instantMs : time.localMs);
  };
}

/** All rows differ by a time that may be an offset of a zone; a change of daylight saving time makes two of them. */
function isSameMoment({ data }: Table, reader: Reader, other: Reader): boolean {
  const differences = new Set<number>();
  let compared = 0;
  for (let row = 0; row < data.length && compared < COMPARED; row += 1) {
    const [a, b] = [reader(row), other(row)];
    if (a === undefined || b === undefined) continue;
    compared += 1;
    // Either may leave out fractions of a second.
    const difference = Math.round((a - b) / 1000) * 1000;
    if (Math.abs(difference) > FARTHEST_MS || difference % QUARTER_MS !== 0) return false;
    differences.add(difference);
  }
  return compared > 0 && differences.size <= 2;
}
