import { effectiveZone, HOUR_MS, MINUTE_MS } from '@catchment/time';
import type { ReportSchedule } from '../../domain/classes/report-attributes.ts';
import { nextDueMs } from './due-time.ts';

/** A report and its row of due times; times are Unix ms. */
export type ScheduledReport = {
  readonly schedule: ReportSchedule | null;
  readonly timezone: string;
  readonly timezoneAdjustForDst: boolean;
  readonly isInTemplate: boolean;
  /** The account is disabled. */
  readonly isDisabled: boolean;
  readonly dueMs: number | null;
  readonly lastMs: number | null;
  readonly isStale: boolean;
};

/** Describes what is to be done for a report at a moment. */
export type Tick = {
  /** It is to be made for this due time now. */
  readonly runMs: number | null;
  /** A due time that has passed too long ago, with no other to take its place. */
  readonly missedMs: number | null;
  /** The report is due next at this time; null for never. */
  readonly dueMs: number | null;
};

const NEVER: Tick = { runMs: null, missedMs: null, dueMs: null };

/**
 * True for a due time that is too long ago for its report to be made
 * (docs/reference/dashboards-and-reports.md#schedules).
 */
export const isTooLate = (dueMs: number, nowMs: number): boolean => nowMs - dueMs >= HOUR_MS;

/** Decides what is due. Only a due time within the last hour counts, and disabled accounts get no reports. */
export function tickOf(report: ScheduledReport, nowMs: number): Tick {
  const { schedule, isDisabled, isStale } = report;
  if (!schedule || schedule.enabled === false || report.isInTemplate) return NEVER;
  const zone = effectiveZone(report.timezone, report.timezoneAdjustForDst, nowMs);
  const next = (afterMs: number, lastMs: number | null) => nextDueMs(schedule, zone, afterMs, lastMs) ?? null;
  if (isDisabled) return { ...NEVER, dueMs: next(nowMs, report.lastMs) };
  // A new schedule counts from the minute in which it was set.
  const due = next(nowMs - (isStale ? MINUTE_MS : HOUR_MS), report.lastMs);
  if (due !== null && due <= nowMs) return { runMs: due, missedMs: null, dueMs: next(due, due) };
  const isMissed = !isStale && report.dueMs !== null && isTooLate(report.dueMs, nowMs);
  return { runMs: null, missedMs: isMissed ? report.dueMs : null, dueMs: due };
}
