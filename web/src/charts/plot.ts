import type { ChartData, SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';
import { markText } from '../format/numbers.ts';
import type { Zone } from '../format/zone.ts';
import { aligned, scalesOf } from './chart-data.ts';
import type { Window } from './chart-window.ts';
import { isDark, LINES, readableOn, TEXTS } from './readable-color.ts';
import { tickLabels, timeStep, timeTicks } from './time-ticks.ts';

/** Room for a mark of the time axis, in pixels. */
const TIME_SPACE = 72;
/** Scales beyond the second are told by the legend alone in charts that are narrower. */
const WIDE = 640;

const INSTANTS = 'instants';
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';

export type PlotParts = {
  readonly host: HTMLElement;
  readonly series: readonly SeriesView[];
  readonly zone: Zone;
  /** A part was chosen by dragging. */
  readonly onSelect?: ((window: Window) => void) | undefined;
  /** The instant under the pointer, or none. */
  readonly onCursor: (ms: number | undefined) => void;
};

export type Plot = {
  readonly over: HTMLElement;
  readonly show: (data: ChartData, window: Window) => void;
  readonly resize: (width: number, height: number) => void;
  /** Reads the colours of the surroundings again. */
  readonly recolor: () => void;
  readonly instantAt: (left: number) => number;
  /** The colour in which a series is drawn. */
  readonly colorOf: (index: number) => string;
  readonly destroy: () => void;
};

type Colors = { ink: string; grid: string; series: string[]; texts: string[] };

export function plot({ host, series, zone, onSelect, onCursor }: PlotParts): Plot {
  const units = scalesOf(series);
  let colors = colorsOf(host, series);
  let shown: ChartData | undefined;
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
        ...Object.fromEntries(units.map((unit) => [scaleOf(unit), { auto: true, range: rangeOf(series, unit) }])),
      },
      series: [{ scale: INSTANTS }, ...series.map((one, i) => seriesOptions(one, i))],
      axes: [timeAxis(), ...units.map(valueAxis)],
      cursor: {
        y: false,
        drag: { x: onSelect !== undefined, y: false, setScale: false, dist: 4 },
        points: { size: 7, width: 2, fill: () => colors.series[0]! },
        // With a key the chart is moved, and nothing is chosen.
        bind: {
          mousedown: (_, __, handler) => (event) => (event.shiftKey ? null : handler(event)),
          dblclick: () => () => null,
        },
      },
      hooks: {
        setSelect: [selected],
        setCursor: [
          (self) => onCursor((self.cursor.left ?? -1) < 0 ? undefined : self.posToVal(self.cursor.left!, INSTANTS)),
        ],
        drawAxes: [drawUnits],
      },
    },
    [[]],
    host,
  );

  function seriesOptions(one: SeriesView, index: number): uPlot.Series {
    const stroke = () => colors.series[index]!;
    const isColumn = one.type === 'COLUMN';
    return {
      label: one.name,
      scale: scaleOf(one.units),
      stroke,
      width: isColumn ? 0 : 1.75,
      ...((one.fill || isColumn) && { fill: () => `${colors.series[index]}${isColumn ? 'd0' : '2e'}` }),
      ...(one.fill && !isColumn && { fillTo: (self) => self.scales[scaleOf(one.units)]!.min! }),
      ...(one.type === 'STEP' && { paths: uPlot.paths.stepped!({ align: 1 }) }),
      ...(isColumn && { paths: uPlot.paths.bars!({ size: [0.75, 60, 1] }) }),
      points: isColumn ? { show: false } : { show: true, filter: isLonely, size: 5, fill: stroke },
    };
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
    const own = series.flatMap((one, i) => (one.units === unit ? [i] : []));
    return {
      scale: scaleOf(unit),
      show: index < 2 || host.clientWidth >= WIDE,
      side: index % 2 === 0 ? 3 : 1,
      // With several axes, the colour tells which belongs to what.
      stroke: () => (units.length > 1 && own.length === 1 ? colors.texts[own[0]!]! : colors.ink),
      font: FONT,
      gap: 6,
      space: 34,
      size: axisWidth,
      grid: { show: index === 0, stroke: () => colors.grid, width: 1 },
      ticks: { show: false },
      values: (_, splits, __, ___, increment) => splits.map((value) => markText(value, increment)),
    };
  }

  function selected(self: uPlot): void {
    const { left, width } = self.select;
    if (width < 4 || onSelect === undefined) return;
    const chosen = { start: self.posToVal(left, INSTANTS), end: self.posToVal(left + width, INSTANTS) };
    self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    onSelect(chosen);
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
    over: u.over,
    show: (data, window) =>
      u.batch(() => {
        if (data !== shown) u.setData(aligned(data), false);
        shown = data;
        u.setScale(INSTANTS, { min: window.start, max: window.end });
      }),
    resize: (width, height) => u.setSize({ width, height }),
    recolor: () => {
      colors = colorsOf(host, series);
      u.redraw(false, true);
    },
    instantAt: (left) => u.posToVal(left, INSTANTS),
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

function colorsOf(host: HTMLElement, series: readonly SeriesView[]): Colors {
  const style = getComputedStyle(host);
  // Custom properties are not resolved; colours of elements are.
  const ground = groundOf(host);
  return {
    ink: style.color,
    grid: style.borderTopColor,
    // Thin lines need more on dark grounds than the least that is allowed.
    series: series.map(({ color }) => readableOn(color, ground, isDark(ground) ? TEXTS : LINES)),
    texts: series.map(({ color }) => readableOn(color, ground, TEXTS)),
  };
}

function groundOf(element: HTMLElement): string {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^rgba\(.*,\s*0\)$|^transparent$/.test(backgroundColor)) return backgroundColor;
  }
  return 'rgb(255, 255, 255)';
}

/** Columns stand on zero; lines use the height there is. */
function rangeOf(series: readonly SeriesView[], unit: string): uPlot.Range.Function {
  const standsOnZero = series.some((one) => one.units === unit && one.type === 'COLUMN');
  return (_, low, high) => {
    if (low === null || high === null || !Number.isFinite(low)) return [0, 1];
    const [least, most] = standsOnZero ? [Math.min(low, 0), Math.max(high, 0)] : [low, high];
    const [min, max] = uPlot.rangeNum(least, most, 0.1, true);
    return [standsOnZero && least === 0 ? 0 : min, max];
  };
}

/** As wide as the longest value needs; settled in one pass, as widths and values depend on each other. */
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
