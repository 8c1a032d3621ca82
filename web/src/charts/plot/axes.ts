import type { SeriesView } from '@catchment/dashboard-view';
import uPlot from 'uplot';
import { markText } from '../../format/numbers.ts';
import type { Zone } from '../../format/zone.ts';
import type { Colors } from '../plot-colors.ts';
import { tickLabels, timeStep, timeTicks } from '../time-ticks.ts';
import type { Drawn } from './drawn.ts';

/** Pixels for each time mark. */
const TIME_SPACE = 72;
/** Scales beyond the second are named by the legend alone in charts that are narrower. */
const WIDE = 640;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';

/** The time axis's scale. */
export const INSTANTS = 'instants';

export function timeAxis(zone: Zone, colors: () => Colors): uPlot.Axis {
  const stepOf = (start: number, end: number, pixels: number) => timeStep(start, end, Math.floor(pixels / TIME_SPACE));
  return {
    scale: INSTANTS,
    stroke: () => colors().ink,
    font: FONT,
    size: 44,
    gap: 6,
    lineGap: 1.3,
    grid: { stroke: () => colors().grid, width: 1 },
    ticks: { stroke: () => colors().grid, width: 1, size: 4 },
    splits: (self, _, start, end) => timeTicks(start, end, stepOf(start, end, widthOf(self)), zone),
    values: (self, splits) => {
      const { min, max } = self.scales[INSTANTS]!;
      return tickLabels(splits, stepOf(min!, max!, widthOf(self)), zone);
    },
  };
}

type ValueAxis = {
  readonly unit: string;
  readonly host: HTMLElement;
  readonly series: readonly SeriesView[];
  readonly drawn: Drawn;
  readonly colors: () => Colors;
};

/** Describes the axis of a unit: axes stand on the left and on the right in turns. */
export function valueAxis({ unit, host, series, drawn, colors }: ValueAxis): uPlot.Axis {
  const index = drawn.units.indexOf(unit);
  const indexes = series.flatMap((curve, i) => (curve.units === unit ? [i] : []));
  // The colour shows which of several axes belongs to which series.
  const isOfOne = drawn.units.length > 1 && indexes.length === 1;
  return {
    scale: drawn.scaleOf(unit),
    show: index < 2 || host.clientWidth >= WIDE,
    side: index % 2 === 0 ? 3 : 1,
    stroke: () => (isOfOne ? colors().texts[indexes[0]!]! : colors().ink),
    font: FONT,
    gap: 6,
    space: 34,
    size: axisWidth,
    grid: { show: index === 0, stroke: () => colors().grid, width: 1 },
    ticks: { show: false },
    // Numbers beside nothing would be invented.
    values: (_, splits, __, ___, increment) => {
      const factor = drawn.factorOf(unit);
      return drawn.extentOf(unit) === undefined
        ? []
        : splits.map((value) => markText(value * factor, increment * factor));
    },
  };
}

/** Draws units above their axes, where they take no room from the chart. */
export function drawUnits(self: uPlot, units: readonly string[]): void {
  const { ctx, bbox } = self;
  ctx.save();
  ctx.font = canvasFont();
  ctx.textBaseline = 'bottom';
  for (const [index, unit] of units.entries()) {
    const axis = self.axes[index + 1] as uPlot.Axis & { _pos?: number };
    if (axis.show === false || index > 1) continue;
    ctx.fillStyle = (axis.stroke as () => string)();
    ctx.textAlign = index === 0 ? 'left' : 'right';
    ctx.fillText(unit, index === 0 ? 0 : ctx.canvas.width, bbox.top - 6 * uPlot.pxRatio);
  }
  ctx.restore();
}

const widthOf = (u: uPlot): number => u.bbox.width / uPlot.pxRatio;

/** Returns the font in pixels of the canvas. */
const canvasFont = (): string => FONT.replace(/^\d+/, (size) => String(Number(size) * uPlot.pxRatio));

/** An axis is as wide as its longest value; one pass decides, since widths and values depend on each other. */
const axisWidth: uPlot.Axis.Size = (self, values, axisIndex, cycle) => {
  const axis = self.axes[axisIndex] as uPlot.Axis & { _size: number };
  if (cycle > 1) return axis._size;
  const longest = (values ?? []).reduce((a, b) => (b.length > a.length ? b : a), '');
  if (longest === '') return 16;
  self.ctx.save();
  self.ctx.font = canvasFont();
  const width = self.ctx.measureText(longest).width / uPlot.pxRatio;
  self.ctx.restore();
  return Math.ceil(width) + 12;
};
