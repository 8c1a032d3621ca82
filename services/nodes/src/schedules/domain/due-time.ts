import { DAY_MS, type EffectiveZone, HOUR_MS, MINUTE_MS } from '@catchment/time';
import type { ReportSchedule } from '../../domain/classes/report-attributes.ts';
import { WEEKDAYS } from '../../domain/classes/report-attributes.ts';

/** A month and a day on both sides: whatever the days are, one of them lies within. */
const DAYS_AHEAD = 64;
/** Thursday, 1 January 1970. */
const FIRST_WEEKDAY = WEEKDAYS.indexOf('THU');

/**
 * The first due time after an instant, at most one for each day of the zone (docs/reference/dashboards-and-reports.md#schedules). A local
 * time that DST skips moves forward by the gap, one that occurs twice is the earlier instant.
 * @param lastMs the due time that was last taken; null = none was
 * @returns Unix ms; undefined where no day is named
 */
export function nextDueMs(
  schedule: ReportSchedule,
  zone: EffectiveZone,
  afterMs: number,
  lastMs: number | null,
): number | undefined {
  const dueOn = (day: number) => zone.instantMsOf(day * DAY_MS + timeOfDayMs(schedule));
  const isOver = lastMs === null ? () => false : (day: number) => day <= plannedDay(lastMs, zone, dueOn);
  // From yesterday on: its time may have moved beyond midnight.
  const first = dayOf(afterMs, zone) - 1;
  for (let day = first; day < first + DAYS_AHEAD; day += 1) {
    if (isOver(day) || !isNamed(schedule, day)) continue;
    const dueMs = dueOn(day);
    if (dueMs > afterMs && dueMs !== lastMs) return dueMs;
  }
  return undefined;
}

/** Days since 1970 of the zone's calendar. */
const dayOf = (ms: number, zone: EffectiveZone): number => Math.floor(zone.localMsAt(ms) / DAY_MS);

/** The day that a due time was meant for: DST may have moved it into the next one. */
function plannedDay(dueMs: number, zone: EffectiveZone, dueOn: (day: number) => number): number {
  const day = dayOf(dueMs, zone);
  return dueOn(day) !== dueMs && dueOn(day - 1) === dueMs ? day - 1 : day;
}

function timeOfDayMs({ time }: ReportSchedule): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

function isNamed({ type, days }: ReportSchedule, day: number): boolean {
  if (type === 'DAILY') return true;
  if (type === 'WEEKLY') return days.includes(WEEKDAYS[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? '');
  const date = new Date(day * DAY_MS);
  const ofMonth = date.getUTCDate();
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return days.includes(ofMonth) || (ofMonth === last && days.some((one) => Number(one) > last));
}
