import type { Join } from '../records/layout.ts';
import type { Table } from './sample-table.ts';
import type { FoundTime } from './time-columns.ts';
import { isPackedClock } from './time-forms.ts';
import { partOf, type TimePart } from './time-labels.ts';

/** Each part has a range and a format. */
const RULES: Readonly<Record<TimePart, { readonly from: number; readonly to: number; readonly format: string }>> = {
  year: { from: 1900, to: 2100, format: 'YYYY' },
  month: { from: 1, to: 12, format: 'M' },
  day: { from: 1, to: 31, format: 'D' },
  dayOfYear: { from: 1, to: 366, format: 'DDD' },
  hour: { from: 0, to: 24, format: 'H' },
  minute: { from: 0, to: 59, format: 'm' },
  second: { from: 0, to: 60, format: 's' },
  clock: { from: 0, to: 2400, format: 'HHmm' },
};
/** These parts make a date, with what may follow. */
const ORDERS: readonly (readonly TimePart[])[] = [
  ['year', 'month', 'day', 'hour', 'minute', 'second'],
  ['year', 'month', 'day', 'hour', 'minute'],
  ['year', 'dayOfYear', 'clock'],
  ['year', 'month', 'day', 'hour'],
];

/**
 * Finds a column for each part of the time: `Year, Month, Day, Hour`, or year, day of the year and `hhmm` of Campbell's
 * arrays, wherever their labels are.
 * @param isLabelled false: the content of the columns decides, where nothing is labelled
 */
export function partColumns(table: Table, unwanted: ReadonlySet<number>, isLabelled = true): FoundTime | undefined {
  const parts = isLabelled ? labelled(table, unwanted) : unlabelled(table);
  if (!parts?.has('year')) return undefined;
  const date: TimePart[] = parts.has('dayOfYear') ? ['dayOfYear'] : ['month', 'day'];
  if (!date.every((part) => parts.has(part))) return undefined;
  const clock: TimePart[] = parts.has('clock') && !parts.has('hour') ? ['clock'] : ['hour', 'minute', 'second'];
  const used = [...(['year', ...date] as const), ...clock.filter((part) => parts.has(part))];
  const joins = used.map((part): Join => {
    const column = parts.get(part) ?? 0;
    const isShort = part === 'year' && table.textsOf(column).every((text) => text.length === 2);
    return { column, field: 'TIME', format: isShort ? 'YY' : formatOf(part, table.textsOf(column)) };
  });
  return { time: { index: joins[0]?.column ?? 0, joins } };
}

const formatOf = (part: TimePart, texts: readonly string[]): string =>
  part === 'clock' && texts.some((text) => text.includes(':')) ? '' : RULES[part].format;

function isPart(part: TimePart, texts: readonly string[]): boolean {
  const { from, to } = RULES[part];
  const isIn = (text: string) =>
    part === 'clock'
      ? isPackedClock(text) || /^\d{1,2}:\d{2}/.test(text)
      : /^\d{1,4}(?:\.0+)?$/.test(text) &&
        ((Number(text) >= from && Number(text) <= to) || (part === 'year' && /^\d{2}$/.test(text)));
  return texts.length > 0 && texts.filter(isIn).length * 10 >= texts.length * 9;
}

function labelled({ labels, textsOf }: Table, unwanted: ReadonlySet<number>): Map<TimePart, number> | undefined {
  const parts = new Map<TimePart, number>();
  labels.forEach((label, index) => {
    if (unwanted.has(index)) return;
    const part = partOf(label, new Set(parts.keys()));
    if (part && isPart(part, textsOf(index))) parts.set(part, index);
  });
  return parts;
}

/**
 * Finds the parts of a time without labels. A year is followed by what makes a date; an array begins with its number. Times go on from row
 * to row, other numbers hardly do.
 */
function unlabelled({ width, textsOf, labels, data }: Table): Map<TimePart, number> | undefined {
  if (labels.filter((label) => label !== '').length * 2 > width) return undefined;
  for (let year = 0; year < Math.min(width, 4); year += 1) {
    if (!isPart('year', textsOf(year)) || textsOf(year).some((text) => text.length !== 4)) continue;
    const order = ORDERS.find(
      (parts) =>
        parts.every((part, n) => isPart(part, textsOf(year + n))) &&
        parts.length <= width - year &&
        goesOn(data.map(({ fields }) => amountOf(parts, fields.slice(year)))),
    );
    if (order) return new Map(order.map((part, n) => [part, year + n]));
  }
  return undefined;
}

/** Counts minutes of a kind: later times have more of them. */
function amountOf(parts: readonly TimePart[], fields: readonly string[]): number {
  return parts.reduce((sum, part, n) => sum * (part === 'clock' ? 10_000 : 400) + Number(fields[n]), 0);
}

/** All but a few rows are later than the one before, or all but a few are earlier; rows of several series have one time. */
function goesOn(amounts: readonly number[]): boolean {
  const steps = amounts.slice(1).map((amount, n) => Math.sign(amount - (amounts[n] ?? amount)));
  if (steps.length === 0) return true;
  const [up, down] = [1, -1].map((sign) => steps.filter((step) => step === sign).length) as [number, number];
  return Math.max(up, down) * 3 >= steps.length && Math.min(up, down) * 10 <= Math.max(up, down);
}
