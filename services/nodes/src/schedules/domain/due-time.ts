import {
  boundAt,
  DAY_MS,
  type EffectiveZone,
  gridAt,
  indexAt,
  type OpcExpression,
  type OpcPeriod,
} from '@catchment/time';
import { type ReportSchedule, WEEKDAYS } from '../../domain/classes/report-attributes.ts';

/** The days reach a month and a day to both sides: whatever the days are, one of them lies within. */
const DAYS_AHEAD = 64;
/** Thursday, 1 January 1970. */
const FIRST_WEEKDAY = WEEKDAYS.indexOf('THU');
const EVERY_DAY: OpcPeriod = { Y: 0, MO: 0, W: 0, D: 1, H: 0, M: 0, S: 0 };

/**
 * Returns the first due time after an instant, at most one for each day of the zone (docs/reference/dashboards-and-reports.md#schedules).
 * Due times are bounds of the intervals of base `D` and the time of day, and of one day: a local time that DST skips moves forward by
 * the gap, one that occurs twice is the earlier instant.
 * @param lastMs the due time that was last taken; null = none was
 * @returns Unix ms; undefined where no day is named
 */
export function nextDueMs(
  schedule: ReportSchedule,
  zone: EffectiveZone,
  afterMs: number,
  lastMs: number | null,
): number | undefined {
  const grid = gridAt({ base: baseOf(schedule), period: EVERY_DAY, zone }, afterMs);
  const firstDay = Math.floor(grid.base.localMs / DAY_MS);
  const from = Math.max(indexAt(grid, afterMs), takenDay()) + 1;
  for (let k = from; k < from + DAYS_AHEAD; k += 1) if (isNamed(schedule, firstDay + k)) return boundAt(grid, k);
  return undefined;

  /**
   * Returns the day that the last due time was meant for: that of its bound, which may have moved beyond midnight; another schedule
   * has its own.
   */
  function takenDay(): number {
    if (lastMs === null) return Number.NEGATIVE_INFINITY;
    const k = indexAt(grid, lastMs);
    return boundAt(grid, k) === lastMs ? k : Math.floor(zone.localMsAt(lastMs) / DAY_MS) - firstDay;
  }
}

function baseOf({ time }: ReportSchedule): OpcExpression {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return {
    base: 'D',
    offsets: [
      { amount: hours, unit: 'H' },
      { amount: minutes, unit: 'M' },
    ],
  };
}

function isNamed({ type, days }: ReportSchedule, day: number): boolean {
  if (type === 'DAILY') return true;
  if (type === 'WEEKLY') return days.includes(WEEKDAYS[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? '');
  const date = new Date(day * DAY_MS);
  const ofMonth = date.getUTCDate();
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return days.includes(ofMonth) || (ofMonth === last && days.some((day) => Number(day) > last));
}
