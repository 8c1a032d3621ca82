import { LOCALE } from './locale.ts';
import type { Zone } from './zone.ts';

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const STEPS = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Infinity, 'year'],
] as const;

/** Writes "5 minutes ago", in English or as a format has it; what is younger than ten seconds is "now". */
export function relativeTime(ms: number, nowMs: number, format = RELATIVE): string {
  let amount = (ms - nowMs) / 1_000;
  if (Math.abs(amount) < 10) return format.format(0, 'second');
  for (const [size, unit] of STEPS) {
    if (Math.abs(Math.round(amount)) < size) return format.format(Math.round(amount), unit);
    amount /= size;
  }
  return '';
}

/** A page has one form of times, beside axes too: days with the names of months, and hours from 00 to 23. */
const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const SECOND = { ...MINUTE, second: '2-digit' } as const;

/** Writes "23 Nov 2026, 07:02:32", with parts of a second where there are any. */
export const absoluteTime = (ms: number, zone: Zone): string =>
  zone.format(ms, { ...DAY, ...SECOND, ...(ms % 1_000 !== 0 && { fractionalSecondDigits: 3 }) });

/** Writes "07:02" of today; with the date otherwise. */
export function shortTime(ms: number, nowMs: number, zone: Zone): string {
  const isToday = zone.format(ms, DAY) === zone.format(nowMs, DAY);
  return zone.format(ms, isToday ? MINUTE : { ...DAY, ...MINUTE });
}

/** Forms of time axes' marks. */
export const AXIS = {
  year: { year: 'numeric' },
  month: { month: 'short' },
  day: { day: 'numeric', month: 'short' },
  minute: MINUTE,
  second: SECOND,
  millisecond: { minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  dayAndMinute: { day: 'numeric', month: 'short', ...MINUTE },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Says what an OPC period like `NOW-7D` means to a reader: "last 7 days"; others are shown as they are written. */
export function periodText(period: string): string {
  const match = /^NOW\s*-\s*(\d+)\s*(S|M|H|D|W|MO|Y)$/i.exec(period.trim());
  if (!match) return period;
  const count = Number(match[1]);
  const unit = UNITS[match[2]!.toUpperCase()]!;
  return count === 1 ? `last ${unit}` : `last ${count} ${unit}s`;
}

const UNITS: Readonly<Record<string, string>> = {
  S: 'second',
  M: 'minute',
  H: 'hour',
  D: 'day',
  W: 'week',
  MO: 'month',
  Y: 'year',
};
