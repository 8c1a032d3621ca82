export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Years that timestamps may have (docs/reference/time.md#input-timestamps), both included. */
export const MIN_YEAR = 1800;
export const MAX_YEAR = 9998;
export const MIN_INSTANT_MS = Date.UTC(MIN_YEAR, 0, 1);
/** Last millisecond of year 9998. */
export const MAX_INSTANT_MS = Date.UTC(MAX_YEAR + 1, 0, 1) - 1;

/** Accepts integer UTC milliseconds within the years 1800-9998. */
export const isInstantMs = (ms: number): boolean =>
  Number.isInteger(ms) && ms >= MIN_INSTANT_MS && ms <= MAX_INSTANT_MS;

/**
 * Times that a record may have: the years above as far as InfluxDB's 64-bit nanoseconds reach (1677-09-21 to 2262-04-11,
 * docs/adr/0002-storage-layout.md). Unix ms, both inclusive.
 */
export const MIN_RECORD_MS = Date.UTC(MIN_YEAR, 0, 1);
export const MAX_RECORD_MS = Date.UTC(2262, 3, 11) - 1;
export const isRecordMs = (ms: number): boolean => Number.isInteger(ms) && ms >= MIN_RECORD_MS && ms <= MAX_RECORD_MS;
export const RECORD_RANGE_RULE = 'must be from 1800-01-01 to before 2262-04-11';

/** A day of the proleptic Gregorian calendar; `month` is 1-12, `day` 1-31. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Counts the days from 1970-01-01 to the date. The year is taken to begin in March, so that the leap day is its last. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The reverse of `daysFromCivil`. */
export function civilFromDays(days: number): CivilDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Returns the ISO weekday of a day number, Monday 1 to Sunday 7. */
export const isoWeekday = (days: number): number => ((((days + 3) % 7) + 7) % 7) + 1;
