import type { AxisSettings, Chart, Scale } from '../../../domain/chart.ts';
import { pixelOf } from '../../../domain/scale.ts';
import { type TimeAxis, timeAxis } from '../../../domain/time-axis.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { dataSet } from './data-set.ts';
import { type Parts, ruleMark, textMark } from './frame-marks.ts';
import type { Layout } from './layout.ts';
import { COLORS } from './palette.ts';
import { valueAxis } from './value-axis.ts';

/** Heights in font sizes. */
export const TIME_ROWS = { roomy: 3.4, small: 2.4 };
export const VALUE_ROWS = { roomy: 3.4, small: 1.8 };

type Side = 'TOP' | 'BOTTOM';
type Tick = { readonly x: number; readonly label: string };

/** A single instant is shown in the middle of a minute. */
const widened = (startMs: number, endMs: number): [number, number] =>
  endMs > startMs ? [startMs, endMs] : [startMs - 30_000, endMs + 30_000];

/** Draws the axis of time: a row of times, a row of the days or years to which they belong. */
export function timeAxisMarks(chart: Chart, layout: Layout): { readonly scale: Scale; readonly parts: Parts } {
  const { plot, labelSize } = layout;
  const domain = widened(chart.startMs, chart.endMs);
  const scale: Scale = { domain, range: [plot.left, plot.right] };
  const widestTick = textWidth('00 May', labelSize) * 1.9;
  const maxTicks = Math.max(2, Math.floor((plot.right - plot.left) / widestTick));
  const { ticks, contexts } = timeAxis(...domain, chart.zone, maxTicks);
  const placed = ticks.map(({ t, label }) => ({ x: pixelOf(scale, t), label }));
  const { y, lines } = axisLines(layout, chart.timeAxis, placed);
  return {
    scale,
    parts: {
      data: [
        ...lines,
        dataSet('axis-times', labelRows(fittingTicks(placed, layout), y(1.6, 0.85))),
        dataSet(
          'axis-dates',
          fittingContexts(contexts, scale, layout).map((context) => ({
            ...context,
            y: y(2.95, 2.2),
            color: COLORS.quietText,
          })),
        ),
      ],
      below: [ruleMark('grid-times', COLORS.grid)],
      above: [
        ruleMark('axis-lines', COLORS.axis),
        textMark('axis-times', labelSize),
        textMark('axis-dates', labelSize),
      ],
    },
  };
}

/** Draws an axis of values along the plot, with its title. */
export function valueAxisMarks(
  settings: AxisSettings,
  title: string,
  values: Iterable<number>,
  layout: Layout,
): { readonly scale: Scale; readonly parts: Parts } {
  const { plot, labelSize, isRoomy } = layout;
  const room = plot.right - plot.left;
  const side: Side = settings.position === 'TOP' ? 'TOP' : 'BOTTOM';
  const axis = valueAxis(values, Math.max(2, Math.min(12, Math.floor(room / (labelSize * 5)))), false, settings);
  const scale: Scale = {
    ...(axis.type && { type: axis.type }),
    domain: axis.domain,
    range: settings.inverted ? [plot.right, plot.left] : [plot.left, plot.right],
  };
  const placed = axis.ticks
    .map(({ v, label }) => ({ x: pixelOf(scale, v), label }))
    .filter(({ x }) => x >= plot.left - 0.5 && x <= plot.right + 0.5)
    .sort((a, b) => a.x - b.x);
  const { y, lines } = axisLines(layout, side, placed);
  const text = isRoomy && settings.showLabel ? fitText(title, room, labelSize) : '';
  const titles = [{ x: (plot.left + plot.right) / 2, label: text }].filter(({ label }) => label !== '');
  return {
    scale,
    parts: {
      data: [
        ...lines,
        dataSet('axis-values-along', labelRows(fittingTicks(placed, layout), y(1.6, 0.85))),
        dataSet('axis-title-along', labelRows(titles, y(3.1, 2.3))),
      ],
      below: [ruleMark('grid-times', COLORS.grid)],
      above: [
        ruleMark('axis-lines', COLORS.axis),
        textMark('axis-values-along', labelSize),
        textMark('axis-title-along', labelSize),
      ],
    },
  };
}

/** Returns the line, its ticks and the grid; and where texts stand, given in font sizes from the line for either side. */
function axisLines({ plot, labelSize }: Layout, side: Side, ticks: readonly Tick[]) {
  const line = side === 'BOTTOM' ? plot.bottom : plot.top;
  const outwards = side === 'BOTTOM' ? 1 : -1;
  const upright = ticks.map(({ x }) => ({ x: Math.round(x), x2: Math.round(x) }));
  return {
    y: (below: number, above: number): number => line + labelSize * (side === 'BOTTOM' ? below : -above),
    lines: [
      dataSet(
        'grid-times',
        upright.map((at) => ({ ...at, y: plot.top, y2: plot.bottom })),
      ),
      dataSet('axis-lines', [
        { x: plot.left, x2: plot.right, y: line, y2: line },
        ...upright.map((at) => ({ ...at, y: line, y2: line + outwards * labelSize * 0.4 })),
      ]),
    ],
  };
}

const labelRows = (ticks: readonly Tick[], y: number) =>
  ticks.map(({ x, label }) => ({ x, y, label, align: 'center', color: COLORS.text }));

/** Ticks whose labels neither overlap nor leave the picture. */
function fittingTicks(ticks: readonly Tick[], { plot, labelSize }: Layout): Tick[] {
  let free = Number.NEGATIVE_INFINITY;
  return ticks.filter(({ x, label }) => {
    const half = textWidth(label, labelSize) / 2;
    if (x - half < Math.max(free, 0) || x + half > plot.right + labelSize * 1.8) return false;
    free = x + half + labelSize * 0.5;
    return true;
  });
}

/** Dates under the first tick that they belong to; where two would overlap, the later one stays: there the day begins. */
function fittingContexts(contexts: TimeAxis['contexts'], scale: Scale, { plot, labelSize }: Layout) {
  const placed: { x: number; label: string; align: 'left' }[] = [];
  let limit = plot.right + labelSize;
  for (const { t, label } of contexts.toReversed()) {
    const width = textWidth(label, labelSize);
    const x = Math.max(0, Math.min(pixelOf(scale, t) - width / 2, plot.right + labelSize - width));
    if (x + width > limit) continue;
    placed.push({ x, label, align: 'left' });
    limit = x - labelSize;
  }
  return placed;
}
