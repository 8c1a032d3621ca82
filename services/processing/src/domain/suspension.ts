import { HOUR_MS } from '@catchment/time';

/** Failed runs in a row that suspend a program (docs/reference/processing-and-ratings.md#program-runs). */
export const MAX_FAILURES = 100;

/** Input from this time on is evaluated again: the next full hour. */
export const resumeAt = (nowMs: number): number => (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
