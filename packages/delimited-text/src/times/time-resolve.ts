import {
  civilFromDays,
  DAY_MS,
  daysFromCivil,
  type EffectiveZone,
  HOUR_MS,
  isInstantMs,
  MINUTE_MS,
  SECOND_MS,
} from '@catchment/time';
import type { TimeParts } from './time-pattern.ts';

/**
 * Either an instant (the text had an offset, or was a Unix time) or a wall clock written as if it were UTC, in the zone that its line
 * names, if any.
 */
export type ResolvedTime = { readonly instantMs: number } | { readonly localMs: number; readonly zone?: EffectiveZone };

function daysOf(parts: TimeParts, todayLocalMs: number): number | undefined {
  const today = civilFromDays(Math.floor(todayLocalMs / DAY_MS));
  if (parts.week !== undefined) {
    const year = parts.weekYear ?? parts.year ?? today.year;
    const fourth = daysFromCivil(year, 1, 4); // always in week 1
    const monday = fourth - ((((fourth + 3) % 7) + 7) % 7);
    const days = monday + (parts.week - 1) * 7 + (parts.weekday ?? 1) - 1;
    const isInYear = civilFromDays(monday + (parts.week - 1) * 7 + 3).year === year;
    return parts.week >= 1 && (parts.weekday ?? 1) >= 1 && (parts.weekday ?? 1) <= 7 && isInYear ? days : undefined;
  }
  const year = parts.year ?? today.year;
  if (parts.dayOfYear !== undefined) {
    const days = daysFromCivil(year, 1, 1) + parts.dayOfYear - 1;
    return civilFromDays(days).year === year ? days : undefined;
  }
  const month = parts.month ?? today.month;
  if (month < 1 || month > 12) return undefined;
  const lengthDays =
    (month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)) - daysFromCivil(year, month, 1);
  // Today's day may be more than the month of the text has.
  const day = parts.day ?? Math.min(today.day, lengthDays);
  return day >= 1 && day <= lengthDays ? daysFromCivil(year, month, day) : undefined;
}

function hourOf({ hour, hour12, isPm }: TimeParts): number | undefined {
  const given = hour ?? hour12 ?? 0;
  // `H:mm A` is common: the half-day counts there too, as long as the hour is one of twelve.
  if (isPm === undefined || given > 12) return given <= 24 ? given : undefined;
  return (given % 12) + (isPm ? 12 : 0);
}

/**
 * Puts parts together (docs/reference/acquisition.md#text-parser): missing date parts are those of today, missing time parts 00.
 * @param todayLocalMs the wall clock now in the source zone
 * @returns undefined when there is no such date or time, or the year is outside of 1800-9998
 */
export function resolveTime(parts: TimeParts, todayLocalMs: number): ResolvedTime | undefined {
  if (parts.unixMs !== undefined) return isInstantMs(parts.unixMs) ? { instantMs: parts.unixMs } : undefined;
  const days = daysOf(parts, todayLocalMs);
  const hour = hourOf(parts);
  const { minute = 0, second = 0, millisecond = 0, offsetMs } = parts;
  if (days === undefined || hour === undefined || minute > 59 || second > 59) return undefined;
  // 24:00 is midnight of the next day.
  if (hour === 24 && minute + second + millisecond > 0) return undefined;
  const localMs = days * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + millisecond;
  const instantMs = localMs - (offsetMs ?? 0);
  if (!isInstantMs(localMs) || !isInstantMs(instantMs)) return undefined;
  return offsetMs === undefined ? { localMs } : { instantMs };
}
