type TimeTick = { readonly t: number; readonly label: string };
export type TimeAxis = {
  readonly ticks: readonly TimeTick[];
  /** The second row names the day or the year of the ticks from here on. Empty when the ticks say it all. */
  readonly contexts: readonly TimeTick[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Zone offsets are multiples of this since about 1900, so wall clock times on a grid of it are instants on one. */
const OFFSET_GRID = 15 * MINUTE;

type Step =
  | { readonly unit: 'elapsed'; readonly stepMs: number }
  | { readonly unit: 'day' | 'week' | 'month' | 'year'; readonly count: number; readonly stepMs: number };

const elapsed = (unitMs: number, counts: readonly number[]): Step[] =>
  counts.map((count) => ({ unit: 'elapsed', stepMs: count * unitMs }));
const calendar = (unit: 'day' | 'week' | 'month' | 'year', unitMs: number, counts: readonly number[]): Step[] =>
  counts.map((count) => ({ unit, count, stepMs: count * unitMs }));

/** Ascending; the first with few enough ticks is taken. */
const STEPS: readonly Step[] = [
  ...elapsed(1, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...elapsed(SECOND, [1, 2, 5, 10, 15, 30]),
  ...elapsed(MINUTE, [1, 2, 5, 10, 15, 30]),
  ...elapsed(HOUR, [1, 2, 3, 6, 12]),
  ...calendar('day', DAY, [1, 2]),
  ...calendar('week', 7 * DAY, [1, 2]),
  ...calendar('month', 30.44 * DAY, [1, 2, 3, 6]),
  ...calendar('year', 365.25 * DAY, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]),
];

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * Ticks of a time axis at round wall clock times of the zone, so that midnight stays midnight across a DST change: an
 * hour that is skipped has no tick, one that occurs twice has two.
 * @param startMs Unix ms, inclusive, as is `endMs`
 * @param zone effective zone: IANA name or fixed offset
 * @param maxTicks at most about this many
 */
export function timeAxis(startMs: number, endMs: number, zone: string, maxTicks: number): TimeAxis {
  const step = STEPS.find((step) => (endMs - startMs) / step.stepMs <= maxTicks) ?? (STEPS.at(-1) as Step);
  const instants =
    step.unit === 'elapsed' ? clockTicks(startMs, endMs, zone, step.stepMs) : calendarTicks(startMs, endMs, zone, step);
  const zoned = instants.map((t) => at(t, zone));
  const ticks = zoned.map((time) => ({ t: time.epochMilliseconds, label: tickLabel(time, step) }));
  const contexts: TimeTick[] = [];
  for (const time of zoned) {
    const label = contextLabel(time, step);
    if (label !== '' && contexts.at(-1)?.label !== label) contexts.push({ t: time.epochMilliseconds, label });
  }
  return { ticks, contexts };
}

const at = (t: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(t).toZonedDateTimeISO(zone);

/** Returns the milliseconds of the wall clock since its own 1970, as if it were UTC. */
const wallMs = (time: Temporal.ZonedDateTime): number => time.epochMilliseconds + time.offsetNanoseconds / 1e6;

function clockTicks(startMs: number, endMs: number, zone: string, stepMs: number): number[] {
  const grid = Math.min(stepMs, OFFSET_GRID);
  const start = at(Math.ceil(startMs), zone);
  const lead = (grid - (wallMs(start) % grid)) % grid;
  const ticks: number[] = [];
  for (let t = Math.ceil(startMs) + (lead < 0 ? lead + grid : lead); t <= endMs; t += grid) {
    if (wallMs(at(t, zone)) % stepMs === 0) ticks.push(t);
  }
  return ticks;
}

function calendarTicks(
  startMs: number,
  endMs: number,
  zone: string,
  step: Exclude<Step, { unit: 'elapsed' }>,
): number[] {
  const ticks: number[] = [];
  for (let day = firstDay(at(Math.ceil(startMs), zone).toPlainDate(), step); ; day = nextDay(day, step)) {
    const t = day.toZonedDateTime(zone).epochMilliseconds;
    if (t > endMs) return ticks;
    // A day that a zone left out begins where the next one does.
    if (t >= startMs && t !== ticks.at(-1)) ticks.push(t);
  }
}

/** Returns the last day on the step's grid that is not after `day`. */
function firstDay(day: Temporal.PlainDate, { unit, count }: Exclude<Step, { unit: 'elapsed' }>): Temporal.PlainDate {
  switch (unit) {
    case 'day': {
      const epochDay = Temporal.PlainDate.from('1970-01-01').until(day).days;
      return day.subtract({ days: ((epochDay % count) + count) % count });
    }
    case 'week': {
      const monday = day.subtract({ days: day.dayOfWeek - 1 });
      const weeks = Math.floor(Temporal.PlainDate.from('1970-01-05').until(monday).days / 7);
      return monday.subtract({ weeks: ((weeks % count) + count) % count });
    }
    case 'month':
      return day.with({ day: 1 }).subtract({ months: (day.month - 1) % count });
    case 'year':
      return day.with({ month: 1, day: 1 }).subtract({ years: day.year % count });
  }
}

function nextDay(day: Temporal.PlainDate, { unit, count }: Exclude<Step, { unit: 'elapsed' }>): Temporal.PlainDate {
  switch (unit) {
    case 'day':
      return day.add({ days: count });
    case 'week':
      return day.add({ weeks: count });
    case 'month':
      return day.add({ months: count });
    case 'year':
      return day.add({ years: count });
  }
}

const two = (value: number): string => String(value).padStart(2, '0');
const monthName = (time: Temporal.ZonedDateTime): string => MONTHS[time.month - 1] ?? '';

function tickLabel(time: Temporal.ZonedDateTime, step: Step): string {
  if (step.unit === 'year') return String(time.year);
  if (step.unit === 'month') return monthName(time);
  if (step.unit !== 'elapsed') return `${time.day} ${monthName(time)}`;
  const minutes = `${two(time.hour)}:${two(time.minute)}`;
  if (step.stepMs >= MINUTE) return minutes;
  const seconds = `${minutes}:${two(time.second)}`;
  return step.stepMs >= SECOND ? seconds : `${seconds}.${String(time.millisecond).padStart(3, '0')}`;
}

function contextLabel(time: Temporal.ZonedDateTime, step: Step): string {
  if (step.unit === 'year') return '';
  if (step.unit !== 'elapsed') return String(time.year);
  return `${time.day} ${monthName(time)} ${time.year}`;
}
