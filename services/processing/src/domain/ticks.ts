import { type TickSchedule as Schedule, tickAfter, tickAt } from '@catchment/time';

/** The tick to run now: the one that waits, or a later one where it was missed by a whole interval. */
export const tickToRun = (schedule: Schedule, waitingMs: number, nowMs: number): number =>
  waitingMs + schedule.intervalMs > nowMs ? waitingMs : tickAt(schedule, nowMs);

/** Returns the tick that a program waits for: the one that it has waited for, if that is one of the schedule still. */
export const nextTick = (schedule: Schedule, waitingMs: number | undefined, nowMs: number): number =>
  waitingMs !== undefined && tickAt(schedule, waitingMs) === waitingMs ? waitingMs : tickAfter(schedule, nowMs);
