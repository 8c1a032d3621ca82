/** Runs lie at multiples of the interval since 1970, plus the offset; ms. */
export type Schedule = { readonly intervalMs: number; readonly offsetMs: number };

/** The newest tick at or before a time. */
export const tickAt = ({ intervalMs, offsetMs }: Schedule, timeMs: number): number =>
  Math.floor((timeMs - offsetMs) / intervalMs) * intervalMs + offsetMs;

/** The first tick after a time. */
export const tickAfter = (schedule: Schedule, timeMs: number): number => tickAt(schedule, timeMs) + schedule.intervalMs;

/** The tick to run now: the one that waits, or a later one where it was missed by a whole interval. */
export const tickToRun = (schedule: Schedule, waitingMs: number, nowMs: number): number =>
  waitingMs + schedule.intervalMs > nowMs ? waitingMs : tickAt(schedule, nowMs);

/** The tick that a program waits for: the one that it has waited for, if that is one of the schedule still. */
export const nextTick = (schedule: Schedule, waitingMs: number | undefined, nowMs: number): number =>
  waitingMs !== undefined && tickAt(schedule, waitingMs) === waitingMs ? waitingMs : tickAfter(schedule, nowMs);
