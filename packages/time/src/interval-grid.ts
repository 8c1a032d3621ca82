import { addPeriod, type WallTime } from './calendar.ts';
import { DAY_MS } from './civil.ts';
import { evaluateBase, type OpcContext, zoneOf } from './opc-evaluate.ts';
import type { OpcExpression, OpcPeriod } from './opc-parse.ts';
import type { EffectiveZone } from './zone.ts';

/** A layout of intervals is given like this, before its base is evaluated. */
export type IntervalLayout = {
  readonly base: OpcExpression;
  readonly period: OpcPeriod;
  readonly zone: EffectiveZone;
  /** A base of FIRST or LAST needs these times of the series. */
  readonly edges?: Pick<OpcContext, 'firstMs' | 'lastMs'>;
};

/** The intervals are `[g(k), g(k + 1))`, g(k) = base + k × period (docs/reference/aggregates.md#intervals). */
export type IntervalGrid = {
  readonly base: WallTime;
  readonly period: OpcPeriod;
  /** Days, weeks, months and years are counted in this zone: that of the base, where it names one. */
  readonly zone: EffectiveZone;
};

/** Unix ms; the end is exclusive. */
export type Interval = { readonly startMs: number; readonly endMs: number };

/**
 * Returns the grid whose base is evaluated at an instant: the start of the range that is read.
 * @throws DomainError as `evaluateBase`
 */
export function gridAt({ base, period, zone, edges }: IntervalLayout, atMs: number): IntervalGrid {
  const context = { nowMs: atMs, zone, ...edges };
  return { base: evaluateBase(base, context), period, zone: zoneOf(base, context) };
}

/** g(k): Unix ms; ±Infinity outside what a Date can be. */
export function boundAt({ base, period, zone }: IntervalGrid, k: number): number {
  const ms = addPeriod(base, period, zone, k);
  if (!Number.isNaN(ms)) return ms;
  return k < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Finds the largest k with g(k) ≤ `ms`: a guess by the mean length, bounds around it, then halves. */
export function indexAt(grid: IntervalGrid, ms: number): number {
  const { Y, MO, W, D, H, M, S } = grid.period;
  const days = (Y * 12 + MO) * 30.436875 + W * 7 + D;
  const lengthMs = days * DAY_MS + (H * 3600 + M * 60 + S) * 1000;
  const guess = Math.floor((ms - grid.base.instantMs) / lengthMs);
  let step = 1;
  let low = guess;
  while (boundAt(grid, low) > ms) {
    low -= step;
    step *= 2;
  }
  step = 1;
  let high = guess + 1;
  while (boundAt(grid, high) <= ms) {
    high += step;
    step *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (boundAt(grid, middle) <= ms) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the interval of a grid that contains an instant. One without length, as on a day that a zone left out, is passed over. */
export function intervalAt(grid: IntervalGrid, ms: number): Interval {
  const k = indexAt(grid, ms);
  return { startMs: boundAt(grid, k), endMs: boundAt(grid, k + 1) };
}
