import type { Window } from './chart-window.ts';

/** An address says this of the time that is shown: up to now, from one instant to another, or everything. */
export type Range =
  | { readonly kind: 'last'; readonly count: number; readonly unit: Unit }
  | ({ readonly kind: 'fixed' } & Window)
  | { readonly kind: 'all' };

const UNITS = ['M', 'H', 'D', 'W', 'MO', 'Y'] as const;
type Unit = (typeof UNITS)[number];
/** A series is laid over itself by this distance in time. */
export type Shift = { readonly count: number; readonly unit: Unit };

export const USUAL: Range = { kind: 'last', count: 7, unit: 'D' };

const SPAN = /^(\d{1,4})(MO|[MHDWY])$/;
const INSTANT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z`;
const FIXED = new RegExp(`^(${INSTANT})/(${INSTANT})$`);
const LENGTHS = { M: 60_000, H: 3_600_000, D: 86_400_000, W: 604_800_000 } as const;

/** @param text `NOW-7D`, `<instant>/<instant>` or `ALL`; undefined: it is none of these */
export function rangeOf(text: string): Range | undefined {
  if (text.toUpperCase() === 'ALL') return { kind: 'all' };
  const span = /^NOW-(.+)$/i.exec(text)?.[1];
  if (span !== undefined) {
    const shift = shiftOf(span);
    return shift && { kind: 'last', ...shift };
  }
  const [, from = '', to = ''] = FIXED.exec(text) ?? [];
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return start < end ? { kind: 'fixed', start, end } : undefined;
}

export function rangeText(range: Range): string {
  if (range.kind === 'all') return 'ALL';
  if (range.kind === 'last') return `NOW-${shiftText(range)}`;
  return `${isoOf(Math.floor(range.start))}/${isoOf(Math.ceil(range.end))}`;
}

/** @param text such as `1Y` */
export function shiftOf(text: string): Shift | undefined {
  const [, count, unit] = SPAN.exec(text.trim().toUpperCase()) ?? [];
  return Number(count) > 0 ? { count: Number(count), unit: unit as Unit } : undefined;
}

export const shiftText = ({ count, unit }: Shift): string => `${count}${unit}`;

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Returns an instant, so much earlier: years and months by the calendar, where the 29th of February of others is the 28th. */
export function earlier(ms: number, { count, unit }: Shift): number {
  if (unit !== 'MO' && unit !== 'Y') return ms - count * LENGTHS[unit];
  const date = new Date(ms);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() - count * (unit === 'Y' ? 12 : 1);
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), lastDay));
  return date.getTime();
}

/** Computes how far a series is moved to lie over the same time of a window: by what the calendar says at its end. */
export const shiftMs = (window: Window, shift: Shift): number => window.end - earlier(window.end, shift);

/** Finds the part to show; undefined for everything there is. */
export function windowOf(range: Range, nowMs: number): Window | undefined {
  if (range.kind === 'all') return undefined;
  if (range.kind === 'fixed') return { start: range.start, end: range.end };
  return { start: earlier(nowMs, range), end: nowMs };
}
