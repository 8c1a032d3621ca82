import type { ChartData, SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';
import type { Zone } from '../../format/zone.ts';
import { aligned } from '../chart-data.ts';
import type { Window } from '../chart-window.ts';
import { roundsOf } from '../dashes.ts';
import { type Colors, colorsOf } from '../plot-colors.ts';
import { drawUnits, INSTANTS, timeAxis, valueAxis } from './axes.ts';
import { type AxisChoice, Drawn, type Readings } from './drawn.ts';
import { lineOptions } from './lines.ts';
import { pointer, selected } from './pointer.ts';

export type PlotParts = {
  readonly host: HTMLElement;
  readonly series: readonly SeriesView[];
  readonly zone: Zone;
  /** A part was chosen by dragging. */
  readonly onSelect?: ((window: Window) => void) | undefined;
  /** Hears what is under the pointer: of each series the record that is marked; none where the pointer is elsewhere. */
  readonly onCursor: (readings: Readings | undefined) => void;
  /** Somebody has made these choices for the axis of some units. */
  readonly axes?: ReadonlyMap<string, AxisChoice> | undefined;
  /** Draws over the lines, such as thresholds. */
  readonly onDraw?: ((paper: Paper) => void) | undefined;
};

/** `box` is the drawn part of a plot, in pixels of the canvas. */
export type Paper = {
  readonly ctx: CanvasRenderingContext2D;
  /** A pixel of the page has this many of the canvas. */
  readonly ratio: number;
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly ink: string;
  readonly window: Window;
  readonly x: (ms: number) => number;
  /** Returns undefined where there is no axis of these units. */
  readonly y: (unit: string, value: number) => number | undefined;
  /** Returns the value at a height of the canvas; undefined: there is no axis of these units. */
  readonly valueAt: (unit: string, y: number) => number | undefined;
};

export type Plot = {
  /** There are this many series: what is shown must have as many. */
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
  /** Returns the value at a height of the axis of some units. */
  readonly valueAt: (unit: string, top: number) => number;
  /** Returns the colour in which a series is drawn. */
  readonly colorOf: (index: number) => string;
  readonly destroy: () => void;
};

/** Draws a chart into an element. */
export function plot(parts: PlotParts): Plot {
  const { host, series } = parts;
  const drawn = new Drawn(series, parts.axes);
  let colors = colorsOf(host, series);
  const u = new uPlot(
    optionsOf(parts, drawn, () => colors),
    [[]],
    host,
  );
  return {
    count: series.length,
    over: u.over,
    show: (data, window) =>
      u.batch(() => {
        const lines = drawn.show(data, window);
        if (lines) u.setData(aligned(lines), false);
        u.setScale(INSTANTS, { min: window.start, max: window.end });
      }),
    resize: (width, height) => u.setSize({ width, height }),
    recolor: () => {
      colors = colorsOf(host, series);
      u.redraw(false, true);
    },
    redraw: () => u.redraw(false, false),
    fit: () => u.setScale(INSTANTS, { min: drawn.window.start, max: drawn.window.end }),
    instantAt: (left) => u.posToVal(left, INSTANTS),
    valueAt: (unit, top) => u.posToVal(top, drawn.scaleOf(unit)) * drawn.factorOf(unit),
    colorOf: (index) => colors.series[index] ?? colors.ink,
    destroy: () => u.destroy(),
  };
}

/** Describes the plot to uPlot. */
function optionsOf(parts: PlotParts, drawn: Drawn, colors: () => Colors): uPlot.Options {
  const { host, series, onSelect, onDraw } = parts;
  const { units } = drawn;
  const rounds = roundsOf(series);
  const { cursor, moved } = pointer(drawn, parts.onCursor);
  const scales = units.map((unit): [string, uPlot.Scale] => [
    drawn.scaleOf(unit),
    { auto: true, range: () => drawn.rangeOf(unit), dir: drawn.isInverted(unit) ? -1 : 1 },
  ]);
  return {
    width: Math.max(host.clientWidth, 50),
    height: Math.max(host.clientHeight, 50),
    ms: 1,
    padding: [units.some((unit) => unit !== '') ? 22 : 10, null, null, null],
    legend: { show: false },
    scales: { [INSTANTS]: { time: true, auto: false }, ...Object.fromEntries(scales) },
    series: [
      { scale: INSTANTS },
      ...series.map((view, i) =>
        lineOptions(view, {
          scale: drawn.scaleOf(view.units),
          round: rounds[i] ?? 0,
          colorOf: () => colors().series[i]!,
        }),
      ),
    ],
    axes: [timeAxis(parts.zone, colors), ...units.map((unit) => valueAxis({ unit, host, series, drawn, colors }))],
    cursor: {
      y: false,
      drag: { x: onSelect !== undefined, y: false, setScale: false, dist: 4 },
      points: { size: 7, width: 2, fill: () => colors().series[0]! },
      ...cursor,
    },
    hooks: {
      setSelect: [(self) => selected(self, onSelect)],
      setCursor: [moved],
      drawAxes: [(self) => drawUnits(self, units)],
      ...(onDraw && { draw: [(self: uPlot) => onDraw(paperOf(self, drawn, colors().ink))] }),
    },
  };
}

function paperOf(self: uPlot, drawn: Drawn, ink: string): Paper {
  const { left, top, width, height } = self.bbox;
  const { units } = drawn;
  return {
    ctx: self.ctx,
    ratio: uPlot.pxRatio,
    box: { left, top, right: left + width, bottom: top + height },
    ink,
    window: drawn.window,
    x: (ms) => self.valToPos(ms, INSTANTS, true),
    valueAt: (unit, y) =>
      units.includes(unit) ? self.posToVal(y, drawn.scaleOf(unit), true) * drawn.factorOf(unit) : undefined,
    y: (unit, value) =>
      units.includes(unit) ? self.valToPos(value / drawn.factorOf(unit), drawn.scaleOf(unit), true) : undefined,
  };
}
