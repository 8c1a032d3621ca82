import { calendarUnit, elapsedMsOf, movedLocalMs, startOfLocal } from './calendar.ts';
import { DAY_MS } from './civil.ts';
import {
  boundAt,
  gridAt,
  type Interval,
  type IntervalGrid,
  type IntervalLayout,
  indexAt,
  intervalAt,
} from './interval-grid.ts';
import { zoneOf } from './opc-evaluate.ts';
import type { OpcPeriod } from './opc-parse.ts';

/** Intervals of which every instant is in exactly one. */
export type LastingIntervals = {
  /** @throws DomainError as `evaluateBase` */
  at(ms: number): Interval;
};

const RESTARTS = ['D', 'W', 'MO', 'Y'] as const;
type Restart = (typeof RESTARTS)[number];

/**
 * Returns the intervals of a program, which has no range at whose start the base could be evaluated
 * (docs/reference/aggregates.md#intervals-of-programs): which interval an instant is in does not depend on what else is
 * asked. They begin anew with every day, week, month or year of the base; the interval before ends there, so that a
 * change of the clock makes none overlap.
 */
export function lastingIntervals(layout: IntervalLayout): LastingIntervals {
  const zone = zoneOf(layout.base, layout);
  const restart = restartOf(layout);
  if (restart === undefined) {
    const grid = gridAt(layout, zone.instantMsOf(0));
    return { at: (ms) => intervalAt(grid, ms) };
  }
  let run: Run | undefined;
  return {
    at: (ms) => {
      if (!run || ms < run.startMs || ms >= run.endMs) run = runAt(layout, restart.unit, ms);
      const last = restart.count - 1;
      const k = Math.min(indexAt(run.grid, ms), last);
      return {
        startMs: boundAt(run.grid, k),
        endMs: k === last ? run.endMs : Math.min(boundAt(run.grid, k + 1), run.endMs),
      };
    },
  };
}

/** The grid holds for one day, week, month or year, until the next one begins. */
type Run = Interval & { readonly grid: IntervalGrid };

function runAt(layout: IntervalLayout, unit: Restart, ms: number): Run {
  const zone = zoneOf(layout.base, layout);
  const gridOf = (localMs: number) => gridAt(layout, zone.instantMsOf(localMs));
  const step = (localMs: number, by: 1 | -1) => {
    const { months, days } = calendarUnit(unit)!;
    return movedLocalMs(localMs, months * by, days * by);
  };

  const localMs = zone.localMsAt(ms);
  const here = startOfLocal(localMs, unit);
  // The offsets of the base may lead far away: about as far as here.
  let start = startOfLocal(localMs - (gridOf(here).base.localMs - here), unit);
  while (gridOf(start).base.instantMs > ms) start = step(start, -1);
  let grid = gridOf(start);
  for (;;) {
    start = step(start, 1);
    const next = gridOf(start);
    if (next.base.instantMs > ms) return { startMs: grid.base.instantMs, endMs: next.base.instantMs, grid };
    grid = next;
  }
}

/** Returns the smallest unit, not below that of the base, that is a whole number of intervals, and their number. */
function restartOf({ base: { base }, period }: IntervalLayout): { unit: Restart; count: number } | undefined {
  if (base === 'FIRST' || base === 'LAST') return undefined;
  const smallest = Math.max(0, RESTARTS.indexOf(base as Restart));
  for (const unit of RESTARTS.slice(smallest)) {
    const count = intervalsIn(unit, period);
    if (count >= 1 && (count === Infinity || Number.isInteger(count))) return { unit, count };
  }
  return undefined;
}

/**
 * Returns how many intervals a unit has; Infinity for hours and less, since days have more or fewer of them; NaN where
 * none are alike.
 */
function intervalsIn(unit: Restart, period: OpcPeriod): number {
  const elapsedMs = elapsedMsOf(period);
  if (elapsedMs !== undefined) return ((unit === 'W' ? 7 : 1) * DAY_MS) % elapsedMs === 0 ? Infinity : Number.NaN;
  const [months, days] = [period.Y * 12 + period.MO, period.W * 7 + period.D];
  if (period.H + period.M + period.S > 0 || (months > 0 && days > 0)) return Number.NaN;
  const inUnit = calendarUnit(unit)!;
  return days > 0 ? inUnit.days / days : inUnit.months / months;
}
