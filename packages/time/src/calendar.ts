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

/** The local time `months` calendar months later; a missing day falls back to the last day of that month. */
function plusMonths(localMs: number, months: number): number {
  const days = Math.floor(localMs / DAY_MS);
  const { year, month, day } = civilFromDays(days);
  const index = year * 12 + (month - 1) + months;
  const newYear = Math.floor(index / 12);
  const newMonth = index - newYear * 12 + 1;
  const newDay = Math.min(day, daysInMonth(newYear, newMonth));
  return daysFromCivil(newYear, newMonth, newDay) * DAY_MS + (localMs - days * DAY_MS);
}

/**
 * Months, then days, in one step on the wall clock of `zone`; then elapsed time (docs/reference/time.md#relative-time). NaN
 * = out of range.
 */
function plus(instantMs: number, months: number, days: number, elapsedMs: number, zone: EffectiveZone): number {
  let result = instantMs;
  if (months !== 0 || days !== 0) {
    const localMs = zone.localMsAt(instantMs);
    const movedMs = (months === 0 ? localMs : plusMonths(localMs, months)) + days * DAY_MS;
    if (!(Math.abs(movedMs) <= MAX_DATE_MS - 2 * DAY_MS)) return Number.NaN;
    result = zone.instantMsOf(movedMs);
  }
  result += elapsedMs;
  return Math.abs(result) <= MAX_DATE_MS - 2 * DAY_MS ? result : Number.NaN;
}

/** `instantMs` moved by a signed number of units. NaN when the result is no representable time. */
export function addUnits(instantMs: number, amount: number, unit: OpcUnit, zone: EffectiveZone): number {
  switch (unit) {
    case 'Y':
      return plus(instantMs, amount * 12, 0, 0, zone);
    case 'MO':
      return plus(instantMs, amount, 0, 0, zone);
    case 'W':
      return plus(instantMs, 0, amount * 7, 0, zone);
    case 'D':
      return plus(instantMs, 0, amount, 0, zone);
    case 'H':
      return plus(instantMs, 0, 0, amount * HOUR_MS, zone);
    case 'M':
      return plus(instantMs, 0, 0, amount * MINUTE_MS, zone);
    case 'S':
      return plus(instantMs, 0, 0, amount * SECOND_MS, zone);
  }
}

/**
 * `instantMs + times × period`, computed in one step so that month ends do not drift
 * (docs/reference/aggregates.md#intervals). `times` may be negative or 0. NaN when the result is no representable time.
 */
export function addPeriod(instantMs: number, period: OpcPeriod, zone: EffectiveZone, times = 1): number {
  const months = period.Y * 12 + period.MO;
  const days = period.W * 7 + period.D;
  const elapsedMs = period.H * HOUR_MS + period.M * MINUTE_MS + period.S * SECOND_MS;
  return plus(instantMs, months * times, days * times, elapsedMs * times, zone);
}

/** The length of a period of hours, minutes and seconds only; undefined when it has calendar units. */
export function elapsedMsOf(period: OpcPeriod): number | undefined {
  if (period.Y + period.MO + period.W + period.D > 0) return undefined;
  return period.H * HOUR_MS + period.M * MINUTE_MS + period.S * SECOND_MS;
}

/** Start of the second … year that `instantMs` lies in, on the wall clock of `zone`; weeks start on Monday. */
export function startOf(instantMs: number, unit: OpcUnit, zone: EffectiveZone): number {
  const localMs = zone.localMsAt(instantMs);
  const days = Math.floor(localMs / DAY_MS);
  switch (unit) {
    // With the offset of the instant itself, so that the hour that occurs twice keeps its own start.
    case 'S':
    case 'M':
    case 'H': {
      const unitMs = unit === 'S' ? SECOND_MS : unit === 'M' ? MINUTE_MS : HOUR_MS;
      return Math.floor(localMs / unitMs) * unitMs - (localMs - instantMs);
    }
    case 'D':
      return zone.instantMsOf(days * DAY_MS);
    case 'W':
      return zone.instantMsOf((days - isoWeekday(days) + 1) * DAY_MS);
    case 'MO':
      return zone.instantMsOf((days - civilFromDays(days).day + 1) * DAY_MS);
    case 'Y':
      return zone.instantMsOf(daysFromCivil(civilFromDays(days).year, 1, 1) * DAY_MS);
  }
}
