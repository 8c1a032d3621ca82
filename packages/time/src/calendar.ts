import {
  civilFromDays,
  DAY_MS,
  daysFromCivil,
  daysInMonth,
  HOUR_MS,
  isoWeekday,
  MINUTE_MS,
  SECOND_MS,
} from './civil.ts';
import type { OpcPeriod, OpcUnit } from './opc-parse.ts';
import type { EffectiveZone } from './zone.ts';

const MAX_DATE_MS = 8.64e15;

/** Returns the local time `months` calendar months later; a missing day falls back to the last day of that month. */
function plusMonths(localMs: number, months: number): number {
  const days = Math.floor(localMs / DAY_MS);
  const { year, month, day } = civilFromDays(days);
  const index = year * 12 + (month - 1) + months;
  const newYear = Math.floor(index / 12);
  const newMonth = index - newYear * 12 + 1;
  const newDay = Math.min(day, daysInMonth(newYear, newMonth));
  return daysFromCivil(newYear, newMonth, newDay) * DAY_MS + (localMs - days * DAY_MS);
}

/** A local time moved by calendar units; NaN = out of range. */
export function movedLocalMs(localMs: number, months: number, days: number): number {
  const movedMs = (months === 0 ? localMs : plusMonths(localMs, months)) + days * DAY_MS;
  return Math.abs(movedMs) <= MAX_DATE_MS - 2 * DAY_MS ? movedMs : Number.NaN;
}

/**
 * A time as people mean it: the wall clock shows `localMs` at `instantMs`, unless the zone skips that time. A calendar step begins at
 * the local time, so that the day after a skipped midnight begins at midnight again.
 */
export type WallTime = { readonly instantMs: number; readonly localMs: number };

export const wallTimeAt = (localMs: number, zone: EffectiveZone): WallTime => ({
  instantMs: Number.isNaN(localMs) ? Number.NaN : zone.instantMsOf(localMs),
  localMs,
});
export const wallTimeOf = (instantMs: number, zone: EffectiveZone): WallTime => ({
  instantMs,
  localMs: zone.localMsAt(instantMs),
});

/** Returns months and days of a unit of the calendar; undefined for hours, minutes and seconds. */
export function calendarUnit(unit: OpcUnit): { readonly months: number; readonly days: number } | undefined {
  switch (unit) {
    case 'Y':
      return { months: 12, days: 0 };
    case 'MO':
      return { months: 1, days: 0 };
    case 'W':
      return { months: 0, days: 7 };
    case 'D':
      return { months: 0, days: 1 };
    default:
      return undefined;
  }
}

const ELAPSED_MS = { H: HOUR_MS, M: MINUTE_MS, S: SECOND_MS } as const;
type ElapsedUnit = keyof typeof ELAPSED_MS;
export const unitMs = (unit: OpcUnit): number => ELAPSED_MS[unit as ElapsedUnit] ?? 0;

/**
 * Adds months, then days, in one step on the wall clock of `zone`; then elapsed time (docs/reference/time.md#relative-time). NaN
 * = out of range.
 */
function plus({ instantMs, localMs }: WallTime, months: number, days: number, elapsedMs: number, zone: EffectiveZone) {
  const isMoved = months !== 0 || days !== 0;
  const result = (isMoved ? wallTimeAt(movedLocalMs(localMs, months, days), zone).instantMs : instantMs) + elapsedMs;
  return Math.abs(result) <= MAX_DATE_MS - 2 * DAY_MS ? result : Number.NaN;
}

/** `instantMs` moved by a signed number of units. NaN when the result is no representable time. */
export function addUnits(instantMs: number, amount: number, unit: OpcUnit, zone: EffectiveZone): number {
  const { months, days } = calendarUnit(unit) ?? { months: 0, days: 0 };
  return plus(wallTimeOf(instantMs, zone), months * amount, days * amount, unitMs(unit) * amount, zone);
}

/**
 * `from + times × period`, computed in one step so that month ends do not drift (docs/reference/aggregates.md#intervals). `times` may be
 * negative or 0. NaN when the result is no representable time.
 */
export function addPeriod(from: WallTime, period: OpcPeriod, zone: EffectiveZone, times = 1): number {
  const months = period.Y * 12 + period.MO;
  const days = period.W * 7 + period.D;
  const elapsedMs = period.H * HOUR_MS + period.M * MINUTE_MS + period.S * SECOND_MS;
  return plus(from, months * times, days * times, elapsedMs * times, zone);
}

/** Returns the length of a period of hours, minutes and seconds only; undefined when it has calendar units. */
export function elapsedMsOf(period: OpcPeriod): number | undefined {
  if (period.Y + period.MO + period.W + period.D > 0) return undefined;
  return period.H * HOUR_MS + period.M * MINUTE_MS + period.S * SECOND_MS;
}

/** Returns the start of the day, week, month or year that a local time lies in, as a local time; weeks start on Monday. */
export function startOfLocal(localMs: number, unit: 'D' | 'W' | 'MO' | 'Y'): number {
  const days = Math.floor(localMs / DAY_MS);
  switch (unit) {
    case 'D':
      return days * DAY_MS;
    case 'W':
      return (days - isoWeekday(days) + 1) * DAY_MS;
    case 'MO':
      return (days - civilFromDays(days).day + 1) * DAY_MS;
    case 'Y':
      return daysFromCivil(civilFromDays(days).year, 1, 1) * DAY_MS;
  }
}

/** Returns the start of the second … year that `instantMs` lies in, on the wall clock of `zone`. */
export function startOf(instantMs: number, unit: OpcUnit, zone: EffectiveZone): WallTime {
  const localMs = zone.localMsAt(instantMs);
  if (unit === 'Y' || unit === 'MO' || unit === 'W' || unit === 'D')
    return wallTimeAt(startOfLocal(localMs, unit), zone);
  const startMs = Math.floor(localMs / unitMs(unit)) * unitMs(unit);
  // The start has the offset of the instant itself, so that the hour that occurs twice keeps its own start.
  const sameOffset = { instantMs: startMs - (localMs - instantMs), localMs: startMs };
  // A change of half an hour begins within an hour: its start has the offset before.
  return zone.localMsAt(sameOffset.instantMs) === startMs ? sameOffset : wallTimeAt(startMs, zone);
}
