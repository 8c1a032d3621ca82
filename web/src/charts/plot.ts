import type { ChartData, Point, SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';
import { markText } from '../format/numbers.ts';
import type { Zone } from '../format/zone.ts';
import { aligned, extentOf, linesOf, type Reading, readingAt, scalesOf } from './chart-data.ts';
import type { Window } from './chart-window.ts';
import { dashOf, roundsOf } from './dashes.ts';
import { colorsOf } from './plot-colors.ts';
import { tickLabels, timeStep, timeTicks } from './time-ticks.ts';

/** Room for a mark of the time axis, in pixels. */
const TIME_SPACE = 72;
/** Scales beyond the second are named by the legend alone in charts that are narrower. */
const WIDE = 640;

/** Width of a line, in pixels. */
const LINE = 1.75;
/** A record that is so near to the pointer, in pixels, is read wherever it stands. */
const NEAR = 12;

const INSTANTS = 'instants';
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';

export type PlotParts = {
  readonly host: HTMLElement;
  readonly series: readonly SeriesView[];
  readonly zone: Zone;
  /** A part was chosen by dragging. */
  readonly onSelect?: ((window: Window) => void) | undefined;
  /** Hears what is under the pointer: of each series the record that is marked; none where the pointer is elsewhere. */
  readonly onCursor: (readings: Readings | undefined) => void;
  /** The choices that somebody has made for the axis of some units. */
  readonly axes?: ReadonlyMap<string, AxisChoice> | undefined;
  /** Draws over the lines, such as thresholds. */
  readonly onDraw?: ((paper: Paper) => void) | undefined;
};

/** Ends of an axis; without them it has the height of what is drawn. */
export type AxisChoice = {
  readonly ends?: readonly [number, number];
  readonly isInverted: boolean;
  /** Values that are to be seen beside those of the lines, such as thresholds. */
  readonly beside?: () => readonly number[];
};

/** The drawn part of a plot, in pixels of the canvas. */
export type Paper = {
  readonly ctx: CanvasRenderingContext2D;
  /** Pixels of the canvas for one of the page. */
  readonly ratio: number;
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly ink: string;
  readonly window: Window;
  readonly x: (ms: number) => number;
  /** Undefined: there is no axis of these units. */
  readonly y: (unit: string, value: number) => number | undefined;
  /** The value at a height of the canvas; undefined: there is no axis of these units. */
  readonly valueAt: (unit: string, y: number) => number | undefined;
};

/** The records that a pointer reads, a place for each series, and the one that is nearest to it. */
export type Readings = { readonly ms: number; readonly of: readonly (Reading | undefined)[] };

export type Plot = {
  /** The number of series: what is shown must have as many. */
  readonly count: number;
  readonly over: HTMLElement;
  readonly show: (data: ChartData, window: Window) => void;
  readonly resize: (width: number, height: number) => void;
  /** Reads the colours of the surroundings again. */
  readonly recolor: () => void;
  /** Draws again what is drawn over the lines. */
  readonly redraw: () => void;
  /** Gives the axes the height that they need now. */
  readonly fit: () => void;
  readonly instantAt: (left: number) => number;
  /** The value at a height of the axis of some units. */
  readonly valueAt: (unit: string, top: number) => number;
  /** The colour in which a series is drawn. */
  readonly colorOf: (index: number) => string;
  readonly destroy: () => void;
};

export function plot({ host, series, zone, onSelect, onCursor, axes, onDraw }: PlotParts): Plot {
  const units = scalesOf(series);
  const rounds = roundsOf(series);
  let colors = colorsOf(host, series);
  let shown: ChartData | undefined;
  /** The values are multiples of the factor of their units: uPlot computes axes up to about 1e16. */
  let lines: ReturnType<typeof linesOf> = [];
  let factors: ReadonlyMap<string, number> = new Map();
  let window: Window = { start: 0, end: 1 };
  let extents = { lines, window, of: new Map<string, [number, number] | undefined>() };
  let readings: Readings | undefined;
  const scaleOf = (unit: string) => `units ${units.indexOf(unit)}`;

  const u = new uPlot(
    {
      width: Math.max(host.clientWidth, 50),
      height: Math.max(host.clientHeight, 50),
      ms: 1,
      padding: [units.some((unit) => unit !== '') ? 22 : 10, null, null, null],
      legend: { show: false },
      scales: {
        [INSTANTS]: { time: true, auto: false },
        ...Object.fromEntries(
          units.map((unit) => [
            scaleOf(unit),
            { auto: true, range: () => rangeOf(unit), dir: axes?.get(unit)?.isInverted ? (-1 as const) : (1 as const) },
          ]),
        ),
      },
      series: [{ scale: INSTANTS }, ...series.map((curve, i) => seriesOptions(curve, i))],
      axes: [timeAxis(), ...units.map(valueAxis)],
      cursor: {
        y: false,
        drag: { x: onSelect !== undefined, y: false, setScale: false, dist: 4 },
        points: { size: 7, width: 2, fill: () => colors.series[0]! },
        dataIdx: markedAt,
        // A pointer with a key moves the chart, and chooses nothing.
        bind: {
          mousedown: (_, __, handler) => (event) => (event.shiftKey ? null : handler(event)),
          dblclick: () => () => null,
        },
      },
      hooks: {
        setSelect: [selected],
        setCursor: [
          (self) => {
            if ((self.cursor.left ?? -1) < 0) readings = undefined;
            onCursor(readings);
          },
        ],
        drawAxes: [drawUnits],
        ...(onDraw && { draw: [(self: uPlot) => onDraw(paperOf(self))] }),
      },
    },
    [[]],
    host,
  );

  function seriesOptions(view: SeriesView, index: number): uPlot.Series {
    const stroke = () => colors.series[index]!;
    const isColumn = view.type === 'COLUMN';
    return {
      label: view.name,
      scale: scaleOf(view.units),
      stroke,
      width: isColumn ? 0 : LINE,
      dash: dashOf(rounds[index] ?? 0, LINE),
      ...((view.fill || isColumn) && { fill: () => `${colors.series[index]}${isColumn ? 'd0' : '2e'}` }),
      ...(view.fill && !isColumn && { fillTo: () => 0 }),
      ...(view.type === 'STEP' && { paths: uPlot.paths.stepped!({ align: 1 }) }),
      ...(isColumn && { paths: uPlot.paths.bars!({ size: [0.75, 60, 1] }) }),
      points: isColumn ? { show: false } : { show: true, filter: isLonely, size: 5, fill: stroke },
    };
  }

  /** Returns the extent of the drawn lines of a unit. An axis asks several times for the same. */
  function drawnOf(unit: string): [number, number] | undefined {
    const indexes = series.flatMap((curve, i) => (curve.units === unit && lines[i] ? [i] : []));
    return extentOf(
      indexes.map((i) => lines[i]!),
      indexes.map((i) => series[i]!),
      window,
    );
  }

  /** Lowest and highest that is drawn of the series of a unit; undefined without a value. */
  function valuesOf(unit: string): [number, number] | undefined {
    if (extents.lines !== lines || extents.window !== window) extents = { lines, window, of: new Map() };
    if (!extents.of.has(unit)) extents.of.set(unit, drawnOf(unit));
    const drawn = extents.of.get(unit);
    const beside = axes?.get(unit)?.beside?.() ?? [];
    if (beside.length === 0) return drawn;
    const all = [...(drawn ?? []), ...beside.map((value) => value / (factors.get(unit) ?? 1))];
    return [Math.min(...all), Math.max(...all)];
  }

  /** Columns and areas stand on zero; lines use the height there is. */
  function rangeOf(unit: string): uPlot.Range.MinMax {
    const extent = valuesOf(unit);
    if (extent === undefined) return [0, 1];
    const ends = axes?.get(unit)?.ends;
    const factor = factors.get(unit) ?? 1;
    if (ends) return [ends[0] / factor, ends[1] / factor];
    const standsOnZero = series.some((curve) => curve.units === unit && (curve.type === 'COLUMN' || curve.fill));
    const [low, high] = extent;
    const [least, most] = standsOnZero ? [Math.min(low, 0), Math.max(high, 0)] : [low, high];
    const [min, max] = uPlot.rangeNum(least, most, 0.1, true);
    return [standsOnZero && least === 0 ? 0 : min, standsOnZero && most === 0 ? 0 : max];
  }

  /** Places the marker of a series on the record that is read out. uPlot asks for the time first, then for each series. */
  function markedAt(self: uPlot, seriesIndex: number, hovered: number, ms: number): number {
    if (seriesIndex === 0) {
      readings = read(ms, self);
      return hovered;
    }
    const reading = readings?.of[seriesIndex - 1];
    // uPlot takes null for no marker, its types do not say so.
    return (reading === undefined ? null : indexOf(self.data[0], reading.ms)) as number;
  }

  function read(ms: number, self: uPlot): Readings | undefined {
    if (!shown) return undefined;
    const nearMs = self.posToVal(NEAR, INSTANTS) - self.posToVal(0, INSTANTS);
    const inside = { start: Math.max(window.start, shown.start), end: Math.min(window.end, shown.end) };
    const of = shown.series.map((curve) => readingAt(curve, ms, inside, nearMs));
    const nearest = of.reduce(
      (best, reading) => (reading && (!best || Math.abs(reading.ms - ms) < Math.abs(best.ms - ms)) ? reading : best),
      undefined,
    );
    return { ms: nearest?.ms ?? ms, of };
  }

  function timeAxis(): uPlot.Axis {
    const stepOf = (start: number, end: number, pixels: number) =>
      timeStep(start, end, Math.floor(pixels / TIME_SPACE));
    return {
      scale: INSTANTS,
      stroke: () => colors.ink,
      font: FONT,
      size: 44,
      gap: 6,
      lineGap: 1.3,
      grid: { stroke: () => colors.grid, width: 1 },
      ticks: { stroke: () => colors.grid, width: 1, size: 4 },
      splits: (self, _, start, end) => timeTicks(start, end, stepOf(start, end, widthOf(self)), zone),
      values: (self, splits) => {
        const { min, max } = self.scales[INSTANTS]!;
        return tickLabels(splits, stepOf(min!, max!, widthOf(self)), zone);
      },
    };
  }

  function valueAxis(unit: string, index: number): uPlot.Axis {
    const indexes = series.flatMap((curve, i) => (curve.units === unit ? [i] : []));
    return {
      scale: scaleOf(unit),
      show: index < 2 || host.clientWidth >= WIDE,
      side: index % 2 === 0 ? 3 : 1,
      // The colour shows which of several axes belongs to which series.
      stroke: () => (units.length > 1 && indexes.length === 1 ? colors.texts[indexes[0]!]! : colors.ink),
      font: FONT,
      gap: 6,
      space: 34,
      size: axisWidth,
      grid: { show: index === 0, stroke: () => colors.grid, width: 1 },
      ticks: { show: false },
      // Numbers beside nothing would be invented.
      values: (_, splits, __, ___, increment) => {
        const factor = factors.get(unit) ?? 1;
        return valuesOf(unit) === undefined ? [] : splits.map((value) => markText(value * factor, increment * factor));
      },
    };
  }

  function selected(self: uPlot): void {
    const { left, width } = self.select;
    if (width < 4 || onSelect === undefined) return;
    const chosen = { start: self.posToVal(left, INSTANTS), end: self.posToVal(left + width, INSTANTS) };
    self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    onSelect(chosen);
  }

  function paperOf(self: uPlot): Paper {
    const { left, top, width, height } = self.bbox;
    return {
      ctx: self.ctx,
      ratio: uPlot.pxRatio,
      box: { left, top, right: left + width, bottom: top + height },
      ink: colors.ink,
      window,
      x: (ms) => self.valToPos(ms, INSTANTS, true),
      valueAt: (unit, y) =>
        units.includes(unit) ? self.posToVal(y, scaleOf(unit), true) * (factors.get(unit) ?? 1) : undefined,
      y: (unit, value) =>
        units.includes(unit) ? self.valToPos(value / (factors.get(unit) ?? 1), scaleOf(unit), true) : undefined,
    };
  }

  /** Above their axes, where they take no room from the chart. */
  function drawUnits(self: uPlot): void {
    const { ctx, bbox } = self;
    const ratio = uPlot.pxRatio;
    ctx.save();
    ctx.font = FONT.replace(/^\d+/, (size) => String(Number(size) * ratio));
    ctx.textBaseline = 'bottom';
    for (const [index, unit] of units.entries()) {
      const axis = self.axes[index + 1] as uPlot.Axis & { _pos?: number };
      if (axis.show === false || index > 1) continue;
      ctx.fillStyle = (axis.stroke as () => string)();
      ctx.textAlign = index === 0 ? 'left' : 'right';
      ctx.fillText(unit, index === 0 ? 0 : ctx.canvas.width, bbox.top - 6 * ratio);
    }
    ctx.restore();
  }

  return {
    count: series.length,
    over: u.over,
    show: (data, shownWindow) =>
      u.batch(() => {
        window = shownWindow;
        if (data !== shown) {
          const lineData = linesOf(data, series);
          factors = new Map(
            units.map((unit) => [unit, factorOf(lineData.filter((_, i) => series[i]?.units === unit))]),
          );
          lines = lineData.map((line, i) => scaled(line, factors.get(series[i]?.units ?? '') ?? 1));
          u.setData(aligned(lines), false);
        }
        shown = data;
        u.setScale(INSTANTS, { min: window.start, max: window.end });
      }),
    resize: (width, height) => u.setSize({ width, height }),
    recolor: () => {
      colors = colorsOf(host, series);
      u.redraw(false, true);
    },
    redraw: () => u.redraw(false, false),
    fit: () => u.setScale(INSTANTS, { min: window.start, max: window.end }),
    instantAt: (left) => u.posToVal(left, INSTANTS),
    valueAt: (unit, top) => u.posToVal(top, scaleOf(unit)) * (factors.get(unit) ?? 1),
    colorOf: (index) => colors.series[index] ?? colors.ink,
    destroy: () => u.destroy(),
  };
}

const widthOf = (u: uPlot): number => u.bbox.width / uPlot.pxRatio;

/** Points are drawn where a line would not show them: between two gaps. */
const isLonely: uPlot.Series.Points.Filter = (u, index, _show, gaps) => {
  if (!gaps || gaps.length === 0) return u.data[0].length === 1 ? [0] : [];
  const values = u.data[index]!;
  const found: number[] = [];
  let before: number | undefined;
  let run = 0;
  for (let i = 0; i <= values.length; i += 1) {
    const value = i < values.length ? values[i] : null;
    if (value === undefined) continue;
    if (value === null) {
      if (run === 1) found.push(before!);
      run = 0;
    } else {
      run += 1;
      before = i;
    }
  }
  return found;
};

/** Values beyond these sizes are drawn as multiples of a power of ten. */
const [TINY, HUGE] = [1e-9, 1e12];

/** One, but of huge and of tiny values. */
function factorOf(lines: readonly (readonly Point[])[]): number {
  let largest = 0;
  for (const line of lines) for (const { v } of line) if (Math.abs(v) > largest) largest = Math.abs(v);
  return largest >= HUGE || (largest > 0 && largest < TINY) ? 10 ** Math.floor(Math.log10(largest)) : 1;
}

const scaled = (line: Point[], factor: number): Point[] =>
  factor === 1 ? line : line.map((point) => ({ ...point, v: point.v / factor }));

/** Place of an instant among ascending ones. */
function indexOf(times: ArrayLike<number>, ms: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An axis is as wide as its longest value; one pass decides, since widths and values depend on each other. */
const axisWidth: uPlot.Axis.Size = (self, values, axisIndex, cycle) => {
  const axis = self.axes[axisIndex] as uPlot.Axis & { _size: number };
  if (cycle > 1) return axis._size;
  const longest = (values ?? []).reduce((a, b) => (b.length > a.length ? b : a), '');
  if (longest === '') return 16;
  self.ctx.save();
  self.ctx.font = FONT.replace(/^\d+/, (size) => String(Number(size) * uPlot.pxRatio));
  const width = self.ctx.measureText(longest).width / uPlot.pxRatio;
  self.ctx.restore();
  return Math.ceil(width) + 12;
};
