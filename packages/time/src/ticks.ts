/** Runs lie at multiples of the interval since 1970, plus the offset, in UTC (docs/reference/sources.md#attributes); ms. */
export type TickSchedule = { readonly intervalMs: number; readonly offsetMs: number };

/** Returns the newest tick at or before a time. */
export const tickAt = ({ intervalMs, offsetMs }: TickSchedule, timeMs: number): number =>
  Math.floor((timeMs - offsetMs) / intervalMs) * intervalMs + offsetMs;

/** Returns the first tick after a time. */
export const tickAfter = (schedule: TickSchedule, timeMs: number): number =>
  tickAt(schedule, timeMs) + schedule.intervalMs;
