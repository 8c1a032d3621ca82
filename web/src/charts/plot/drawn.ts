import type { ChartData, Point, SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';
import { extentOf, linesOf, type Reading, readingAt, scalesOf } from '../chart-data.ts';
import type { Window } from '../chart-window.ts';

/** Ends of an axis; without them it has the height of what is drawn. */
export type AxisChoice = {
  readonly ends?: readonly [number, number];
  readonly isInverted: boolean;
  /** These values are to be seen beside those of the lines, such as thresholds. */
  readonly beside?: () => readonly number[];
};

/** A pointer reads these records, a place for each series, and one is nearest to it. */
export type Readings = { readonly ms: number; readonly of: readonly (Reading | undefined)[] };

type Extent = readonly [number, number] | undefined;
type Lines = readonly Point[][];

/** What a plot draws now. Its lines are multiples of the factor of their units: uPlot computes axes up to about 1e16. */
export class Drawn {
  readonly units: readonly string[];
  readonly #series: readonly SeriesView[];
  readonly #axes: ReadonlyMap<string, AxisChoice> | undefined;
  #data: ChartData | undefined;
  #window: Window = { start: 0, end: 1 };
  #lines: Lines = [];
  #factors: ReadonlyMap<string, number> = new Map();
  #extents = { lines: this.#lines, window: this.#window, of: new Map<string, Extent>() };

  constructor(series: readonly SeriesView[], axes: ReadonlyMap<string, AxisChoice> | undefined) {
    this.units = scalesOf(series);
    this.#series = series;
    this.#axes = axes;
  }

  get window(): Window {
    return this.#window;
  }

  /** @returns the lines where they are others than before */
  show(data: ChartData, window: Window): Lines | undefined {
    this.#window = window;
    if (data === this.#data) return undefined;
    this.#data = data;
    const lines = linesOf(data, this.#series);
    this.#factors = new Map(
      this.units.map((unit) => [unit, sizeOf(lines.filter((_, i) => this.#series[i]?.units === unit))]),
    );
    this.#lines = lines.map((line, i) => scaled(line, this.factorOf(this.#series[i]?.units ?? '')));
    return this.#lines;
  }

  /** Names the scale of a unit to uPlot. */
  scaleOf(unit: string): string {
    return `units ${this.units.indexOf(unit)}`;
  }

  factorOf(unit: string): number {
    return this.#factors.get(unit) ?? 1;
  }

  isInverted(unit: string): boolean {
    return this.#axes?.get(unit)?.isInverted === true;
  }

  /** Returns the lowest and the highest that is drawn of the series of a unit; undefined without a value. */
  extentOf(unit: string): Extent {
    const drawn = this.#extentOfLines(unit);
    const beside = this.#axes?.get(unit)?.beside?.() ?? [];
    if (beside.length === 0) return drawn;
    const all = [...(drawn ?? []), ...beside.map((value) => value / this.factorOf(unit))];
    return [Math.min(...all), Math.max(...all)];
  }

  /** Returns the ends of the axis of a unit. Columns and areas stand on zero; lines use the height there is. */
  rangeOf(unit: string): uPlot.Range.MinMax {
    const extent = this.extentOf(unit);
    if (extent === undefined) return [0, 1];
    const ends = this.#axes?.get(unit)?.ends;
    const factor = this.factorOf(unit);
    if (ends) return [ends[0] / factor, ends[1] / factor];
    const standsOnZero = this.#series.some((curve) => curve.units === unit && (curve.type === 'COLUMN' || curve.fill));
    const [low, high] = extent;
    const [least, most] = standsOnZero ? [Math.min(low, 0), Math.max(high, 0)] : [low, high];
    const [min, max] = uPlot.rangeNum(least, most, 0.1, true);
    return [standsOnZero && least === 0 ? 0 : min, standsOnZero && most === 0 ? 0 : max];
  }

  /**
   * Reads the record of each series that is nearest to an instant.
   * @param nearMs what is this near counts even where nothing is drawn
   */
  readingsAt(ms: number, nearMs: number): Readings | undefined {
    const data = this.#data;
    if (!data) return undefined;
    const inside = {
      start: Math.max(this.#window.start, data.start),
      end: Math.min(this.#window.end, data.end),
    };
    const of = data.series.map((curve) => readingAt(curve, ms, inside, nearMs));
    const nearest = of.reduce(
      (best, reading) => (reading && (!best || Math.abs(reading.ms - ms) < Math.abs(best.ms - ms)) ? reading : best),
      undefined,
    );
    return { ms: nearest?.ms ?? ms, of };
  }

  /** An axis asks several times for the same. */
  #extentOfLines(unit: string): Extent {
    const [lines, window] = [this.#lines, this.#window];
    if (this.#extents.lines !== lines || this.#extents.window !== window) {
      this.#extents = { lines, window, of: new Map() };
    }
    const { of: known } = this.#extents;
    if (!known.has(unit)) {
      const indexes = this.#series.flatMap((curve, i) => (curve.units === unit && lines[i] ? [i] : []));
      const extent = extentOf(
        indexes.map((i) => lines[i]!),
        indexes.map((i) => this.#series[i]!),
        window,
      );
      known.set(unit, extent);
    }
    return known.get(unit);
  }
}

/** Values beyond these sizes are drawn as multiples of a power of ten. */
const [TINY, HUGE] = [1e-9, 1e12];

/** Returns the factor of lines: one, but of huge and of tiny values. */
function sizeOf(lines: Lines): number {
  let largest = 0;
  for (const line of lines) for (const { v } of line) if (Math.abs(v) > largest) largest = Math.abs(v);
  return largest >= HUGE || (largest > 0 && largest < TINY) ? 10 ** Math.floor(Math.log10(largest)) : 1;
}

const scaled = (line: Point[], factor: number): Point[] =>
  factor === 1 ? line : line.map((point) => ({ ...point, v: point.v / factor }));
