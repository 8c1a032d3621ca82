import { type Schedule, WEEKDAYS } from '../data/pages/reports.ts';
import { localeOf } from '../data/times.ts';
import { language } from '../words/index.ts';

type ScheduleWords = {
  readonly noSchedule: string;
  readonly daily: (time: string, zone: string) => string;
  readonly weekly: (days: string, time: string, zone: string) => string;
  readonly monthly: (days: string, time: string, zone: string) => string;
  readonly noDays: string;
};

const listed = (items: readonly string[]): string =>
  new Intl.ListFormat(language.value, { type: 'conjunction' }).format(items);

/** A schedule in a sentence. */
export function scheduleText(schedule: Schedule | null | undefined, zone: string, text: ScheduleWords): string {
  if (!schedule?.enabled) return text.noSchedule;
  const { type, days, time } = schedule;
  if (type === 'DAILY') return text.daily(time, zone);
  if (days.length === 0) return text.noDays;
  if (type === 'MONTHLY') return text.monthly(listed(days.map(String)), time, zone);
  const long = new Intl.DateTimeFormat(localeOf(language.value), { weekday: 'long', timeZone: 'UTC' });
  // 1 January 2024 was a Monday.
  const names = days.map((day) => long.format(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day as 'MON'))));
  return text.weekly(listed(names), time, zone);
}
