import { AXIS } from '../format/times.ts';
import type { Zone } from '../format/zone.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** These distances are nice in clock time; months are counted apart, being of several lengths. */
const STEPS_MS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 3, 7, 14].map((n) => n * DAY),
];
const STEPS_MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200];
const MONTH = 30.44 * DAY;
/** Weeks begin on Mondays; the epoch began on a Thursday. */
const FIRST_MONDAY = 4 * DAY;

export type TimeStep = { readonly ms: number } | { readonly months: number };

/** Returns the smallest nice distance at which at most `most` marks stand between the ends. */
export function timeStep(start: number, end: number, most: number): TimeStep {
  const least = (end - start) / Math.max(most, 1);
  const ms = STEPS_MS.find((step) => step >= least);
  if (ms !== undefined) return { ms };
  return { months: STEPS_MONTHS.find((step) => step * MONTH >= least) ?? STEPS_MONTHS.at(-1)! };
}

/** Returns instants between the ends at which the zone's clock shows a round time. */
export function timeTicks(start: number, end: number, step: TimeStep, zone: Zone): number[] {
  const ticks: number[] = [];
  for (const clock of clockTimes(start + zone.offsetMs(start), end + zone.offsetMs(end), step)) {
    const instant = zone.instant(clock);
    // The clock skips times and shows times twice where daylight saving time begins and ends.
    if (instant >= start && instant <= end && instant > (ticks.at(-1) ?? -Infinity)) ticks.push(instant);
  }
  return ticks;
}

function* clockTimes(from: number, to: number, step: TimeStep): Generator<number> {
  if ('months' in step) {
    const first = new Date(from);
    let month = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth()) / step.months) * step.months;
    for (; ; month += step.months) {
      const at = utcOfMonth(month);
      if (at > to) return;
      yield at;
    }
  }
  const origin = step.ms > DAY ? FIRST_MONDAY : 0;
  for (let at = Math.ceil((from - HOUR - origin) / step.ms) * step.ms + origin; at <= to + HOUR; at += step.ms)
    yield at;
}

/** `Date.UTC` takes years below 100 for those of the 20th century. */
function utcOfMonth(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime();
}

/** Makes a line for each mark, and under the first one and wherever it changes what it belongs to: the day, the year. */
export function tickLabels(ticks: readonly number[], step: TimeStep, zone: Zone): string[] {
  const [small, large] = formatsOf(step);
  let before = '';
  return ticks.map((ms) => {
    const label = zone.format(ms, small);
    const belongsTo = large === undefined ? '' : zone.format(ms, large);
    const isNew = belongsTo !== before;
    before = belongsTo;
    return isNew ? `${label}\n${belongsTo}` : label;
  });
}

function formatsOf(step: TimeStep): [Intl.DateTimeFormatOptions, Intl.DateTimeFormatOptions?] {
  if ('months' in step) return step.months < 12 ? [AXIS.month, AXIS.year] : [AXIS.year];
  if (step.ms >= DAY) return [AXIS.day, AXIS.year];
  if (step.ms >= MINUTE) return [AXIS.minute, AXIS.day];
  if (step.ms >= SECOND) return [AXIS.second, AXIS.day];
  return [AXIS.millisecond, AXIS.dayAndMinute];
}
