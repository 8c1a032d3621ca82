import { LOCALE, type Zone } from './zone.ts';

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const STEPS = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Infinity, 'year'],
] as const;

/** "5 minutes ago"; what is younger than ten seconds is "now". */
export function relativeTime(ms: number, nowMs: number): string {
  let amount = (ms - nowMs) / 1_000;
  if (Math.abs(amount) < 10) return 'now';
  for (const [size, unit] of STEPS) {
    if (Math.abs(Math.round(amount)) < size) return RELATIVE.format(Math.round(amount), unit);
    amount /= size;
  }
  return '';
}

/** "23 Nov 2026, 07:02:32". */
export const absoluteTime = (ms: number, zone: Zone): string =>
  zone.format(ms, { dateStyle: 'medium', timeStyle: 'medium' });

/** "07:02", of today; with the date otherwise. */
export function shortTime(ms: number, nowMs: number, zone: Zone): string {
  const day = { dateStyle: 'medium' } as const;
  const isToday = zone.format(ms, day) === zone.format(nowMs, day);
  return zone.format(ms, isToday ? { timeStyle: 'short' } : { ...day, timeStyle: 'short' });
}

/** What an OPC period like `NOW-7D` means to a reader: "last 7 days"; others are shown as they are written. */
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
