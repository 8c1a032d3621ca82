/** Days that are new for an account can be taken back so long: what a sweep removes is gone. */
export const GRACE_MS = 86_400_000;

/** Records before this time, Unix ms, are older than this many whole UTC days; today does not count. */
export const cutoffMs = (days: number, nowMs: number): number => today(nowMs).subtract({ days }).epochMilliseconds;

/** Begin of the next UTC day, Unix ms: the cutoff is another one then. */
export const nextCutoffChangeMs = (nowMs: number): number => today(nowMs).add({ days: 1 }).epochMilliseconds;

const today = (nowMs: number) => Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO('UTC').startOfDay();
