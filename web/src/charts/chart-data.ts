import {
  type ChartData,
  drawable,
  inRange,
  type LineRange,
  type LineType,
  lineOf,
  type Point,
  type SeriesView,
  visibleValues,
} from '@catchment/dashboard-view';
import type uPlot from 'uplot';
import type { Window } from './chart-window.ts';

const drawnLines = new WeakMap<ChartData, { readonly types: string; readonly lines: readonly Point[][] }>();

/** Returns the drawn lines of a chart, one for each series: with breaks where records stay away. The same data have the same lines. */
export function linesOf(data: ChartData, series: readonly SeriesView[]): readonly Point[][] {
  const types = series.map(({ type }) => type).join();
  const known = drawnLines.get(data);
  if (known?.types === types) return known.lines;
  const lines = newLines(data, series);
  drawnLines.set(data, { types, lines });
  return lines;
}

function newLines(data: ChartData, series: readonly SeriesView[]): readonly Point[][] {
  const range = { startMs: data.start, endMs: data.end };
  return data.series.map((curve, i) => {
    // A column that stands outside is none.
    if (series[i]?.type === 'COLUMN')
      return insideOf(curve, range).map(([t, v]) => ({ t, v: drawable(v ?? Number.NaN) }));
    return lineOf(curve, range, lineTypeOf(series[i]), curve.gapMs ?? Number.POSITIVE_INFINITY);
  });
}

const lineTypeOf = (series: SeriesView | undefined): LineType => (series?.type === 'STEP' ? 'STEP_LEFT' : 'NORMAL');

type SeriesData = ChartData['series'][number];

function insideOf({ times, values }: SeriesData, { startMs, endMs }: LineRange): [number, number | null][] {
  const { from, to } = inRange(times, startMs, endMs);
  return times.slice(from, to).map((ms, i) => [ms, values[from + i] ?? null]);
}

/** Returns all lines over the instants of all of them: undefined where one has no vertex, null where it breaks. */
export function aligned(lines: readonly (readonly Point[])[]): uPlot.AlignedData {
  const [first = []] = lines;
  const isSame = lines.every((line) => line.length === first.length && line.every(({ t }, i) => t === first[i]!.t));
  // Two vertices at one instant are both drawn then.
  if (isSame)
    return [
      first.map(({ t }) => t),
      ...lines.map((line) => line.map(({ v }) => (Number.isNaN(v) ? null : v))),
    ] as uPlot.AlignedData;
  const instants = instantsOf(lines);
  return [instants, ...lines.map((line) => alongOf(line, instants))] as uPlot.AlignedData;
}

/** Returns each instant once, ascending, as those of each line are. */
function instantsOf(lines: readonly (readonly Point[])[]): number[] {
  const places = lines.map(() => 0);
  const instants: number[] = [];
  for (;;) {
    let next = Number.POSITIVE_INFINITY;
    for (let i = 0; i < lines.length; i += 1) {
      const t = lines[i]![places[i]!]?.t;
      if (t !== undefined && t < next) next = t;
    }
    if (next === Number.POSITIVE_INFINITY) return instants;
    instants.push(next);
    for (let i = 0; i < lines.length; i += 1) {
      const line = lines[i]!;
      while (line[places[i]!]?.t === next) places[i]! += 1;
    }
  }
}

/** A break takes the instants of other lines beside it with it. */
function alongOf(line: readonly Point[], instants: readonly number[]): (number | null | undefined)[] {
  const values: (number | null | undefined)[] = [];
  let place = 0;
  let isBroken = false;
  let since = 0;
  for (let i = 0; i < instants.length; i += 1) {
    let value: number | null | undefined;
    // The last one of several vertices at an instant counts.
    while (line[place]?.t === instants[i]) {
      const { v } = line[place]!;
      value = Number.isNaN(v) ? null : v;
      place += 1;
    }
    if (value === undefined) {
      values.push(isBroken ? null : undefined);
      continue;
    }
    if (value === null) values.fill(null, since);
    values.push(value);
    isBroken = value === null;
    since = i + 1;
  }
  return values;
}

/** Returns whether a part of some lines stands within a window. */
export const isSeen = (lines: readonly (readonly Point[])[], series: readonly SeriesView[], window: Window): boolean =>
  lines.some(
    (line, i) => visibleValues(line, { startMs: window.start, endMs: window.end }, lineTypeOf(series[i])).length > 0,
  );

/** Returns the lowest and highest value that is drawn of some lines within a window; undefined without any. */
export function extentOf(
  lines: readonly (readonly Point[])[],
  series: readonly SeriesView[],
  window: Window,
): [number, number] | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const [i, line] of lines.entries()) {
    for (const value of visibleValues(line, { startMs: window.start, endMs: window.end }, lineTypeOf(series[i]))) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : undefined;
}

export type SeriesSummary = {
  readonly minimum: number;
  readonly maximum: number;
  readonly last: number;
  readonly lastMs: number;
};

/** Returns the summary of what a chart shows, without the neighbours of its range; undefined without a value. It passes once: series may have many values. */
export function summaryOf({ times, values }: SeriesData, { start, end }: Window): SeriesSummary | undefined {
  let minimum = Infinity;
  let maximum = -Infinity;
  let last = -1;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === null || value === undefined || times[i]! < start || times[i]! > end) continue;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
    last = i;
  }
  return last < 0 ? undefined : { minimum, maximum, last: values[last]!, lastMs: times[last]! };
}

/** Returns the units of the series, each once: a scale each. */
export const scalesOf = (series: readonly SeriesView[]): string[] => [...new Set(series.map(({ units }) => units))];

export type Reading = { readonly ms: number; readonly value: number };

/**
 * Returns the record with a value that is nearest to an instant, of those inside of a window; none within an outage, where nothing is near.
 * @param nearMs what is this near counts even then
 */
export function readingAt(
  { times, values, gapMs }: SeriesData,
  ms: number,
  { start, end }: Window,
  nearMs: number,
): Reading | undefined {
  let before: Reading | undefined;
  let after: Reading | undefined;
  for (let i = 0; i < times.length && after === undefined; i += 1) {
    const [at, value] = [times[i]!, values[i]];
    if (value === null || value === undefined || at < start || at > end) continue;
    if (at <= ms) before = { ms: at, value };
    else after = { ms: at, value };
  }
  const nearest = !before || (after && after.ms - ms < ms - before.ms) ? after : before;
  if (!nearest) return undefined;
  const isNear = Math.abs(nearest.ms - ms) <= Math.max(nearMs, (gapMs ?? Infinity) / 2);
  return isNear ? nearest : undefined;
}
