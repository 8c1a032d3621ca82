import type { Mark } from 'vega';
import type { Chart } from '../../../domain/chart.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { type DataSet, dataSet, literal, rowsOf } from './data-set.ts';
import { FONT, type Layout } from './layout.ts';
import { COLORS } from './palette.ts';

type Parts = { readonly data: readonly DataSet[]; readonly below: readonly Mark[]; readonly above: readonly Mark[] };

/** Everything around the data: grid below them; axes, titles and legend above. All texts travel as data. */
export function frameMarks(chart: Chart, layout: Layout, colors: readonly string[]): Parts {
  const { plot, labelSize } = layout;
  const data = [
    dataSet(
      'valueTicks',
      layout.valueAxis.ticks.map(({ v, label }) => ({ v, label: fitText(label, chart.width * 0.3, labelSize) })),
    ),
    dataSet('timeTicks', fittingTicks(layout)),
    dataSet('timeContexts', fittingContexts(layout)),
    dataSet('titles', titleRows(chart, layout)),
    dataSet('legend', legendRows(chart, layout, colors)),
  ];
  const text = { font: literal(FONT), fontSize: literal(labelSize), fill: literal(COLORS.text) };
  const below: Mark[] = [
    {
      type: 'rule',
      name: 'grid-values',
      from: rowsOf('valueTicks'),
      encode: {
        enter: {
          x: literal(plot.left),
          x2: literal(plot.right),
          y: { scale: 'y', field: 'v', round: true },
          stroke: literal(COLORS.grid),
        },
      },
    },
    {
      type: 'rule',
      name: 'grid-times',
      from: rowsOf('timeTicks'),
      encode: {
        enter: {
          y: literal(plot.top),
          y2: literal(plot.bottom),
          x: { scale: 'x', field: 't', round: true },
          stroke: literal(COLORS.grid),
        },
      },
    },
  ];
  const above: Mark[] = [
    {
      type: 'rule',
      name: 'axis-line',
      encode: {
        enter: {
          x: literal(plot.left),
          x2: literal(plot.right),
          y: literal(plot.bottom),
          stroke: literal(COLORS.axis),
        },
      },
    },
    {
      type: 'rule',
      name: 'axis-ticks',
      from: rowsOf('timeTicks'),
      encode: {
        enter: {
          x: { scale: 'x', field: 't', round: true },
          y: literal(plot.bottom),
          y2: literal(plot.bottom + labelSize * 0.4),
          stroke: literal(COLORS.axis),
        },
      },
    },
    {
      type: 'text',
      name: 'axis-times',
      from: rowsOf('timeTicks'),
      encode: {
        enter: {
          ...text,
          x: { scale: 'x', field: 't' },
          y: literal(plot.bottom + labelSize * 1.6),
          align: literal('center'),
          text: { field: 'label' },
        },
      },
    },
    {
      type: 'text',
      name: 'axis-dates',
      from: rowsOf('timeContexts'),
      encode: {
        enter: {
          ...text,
          fill: literal(COLORS.quietText),
          x: { field: 'x' },
          y: literal(plot.bottom + labelSize * 2.95),
          text: { field: 'label' },
        },
      },
    },
    {
      type: 'text',
      name: 'axis-values',
      from: rowsOf('valueTicks'),
      encode: {
        enter: {
          ...text,
          x: literal(plot.left - labelSize * 0.7),
          y: { scale: 'y', field: 'v', offset: labelSize * 0.36 },
          align: literal('right'),
          text: { field: 'label' },
        },
      },
    },
    {
      type: 'text',
      name: 'titles',
      from: rowsOf('titles'),
      encode: {
        enter: {
          font: literal(FONT),
          fill: { field: 'color' },
          fontSize: { field: 'size' },
          fontWeight: { field: 'weight' },
          align: literal('center'),
          x: { field: 'x' },
          y: { field: 'y' },
          angle: { field: 'angle' },
          text: { field: 'text' },
        },
      },
    },
    {
      type: 'rule',
      name: 'legend-lines',
      from: rowsOf('legend'),
      encode: {
        enter: {
          x: { field: 'x' },
          x2: { field: 'x', offset: labelSize * 1.4 },
          y: { field: 'y' },
          stroke: { field: 'color' },
          strokeWidth: literal(3),
        },
      },
    },
    {
      type: 'text',
      name: 'legend-names',
      from: rowsOf('legend'),
      encode: {
        enter: {
          ...text,
          x: { field: 'x', offset: labelSize * 1.8 },
          y: { field: 'y', offset: labelSize * 0.36 },
          text: { field: 'name' },
        },
      },
    },
  ];
  return { data, below, above };
}

/** Ticks whose labels neither overlap nor leave the picture keep them; the others keep their tick. */
function fittingTicks(layout: Layout): { t: number; label: string }[] {
  let free = Number.NEGATIVE_INFINITY;
  return layout.timeAxis.ticks.map(({ t, label }) => {
    const half = textWidth(label, layout.labelSize) / 2;
    const x = xOf(layout, t);
    if (x - half < free || x + half > layout.plot.right + layout.labelSize * 1.8) return { t, label: '' };
    free = x + half + layout.labelSize * 0.5;
    return { t, label };
  });
}

/** Dates under the first tick that they belong to; where two would overlap, the later one stays: there the day begins. */
function fittingContexts(layout: Layout): { x: number; label: string }[] {
  const placed: { x: number; label: string }[] = [];
  let limit = layout.plot.right + layout.labelSize;
  for (const { t, label } of layout.timeAxis.contexts.toReversed()) {
    const width = textWidth(label, layout.labelSize);
    const x = Math.min(xOf(layout, t) - width / 2, layout.plot.right + layout.labelSize - width);
    if (x + width > limit || x < 0) continue;
    placed.push({ x, label });
    limit = x - layout.labelSize;
  }
  return placed;
}

/** Pixel of an instant on the time axis. */
export function xOf({ plot, timeDomain }: Pick<Layout, 'plot' | 'timeDomain'>, t: number): number {
  const [from, to] = timeDomain;
  return plot.left + ((t - from) / (to - from)) * (plot.right - plot.left);
}

function titleRows(chart: Chart, layout: Layout): Record<string, string | number>[] {
  const { plot, title, subtitle, timeTitle, valueTitle, labelSize } = layout;
  const rows: Record<string, string | number>[] = [];
  const plain = { angle: 0, weight: 'normal', color: COLORS.text };
  if (title) rows.push({ ...plain, ...title, x: chart.width / 2, weight: 'bold' });
  if (subtitle) rows.push({ ...plain, ...subtitle, x: chart.width / 2, color: COLORS.quietText });
  if (timeTitle) rows.push({ ...plain, ...timeTitle, x: (plot.left + plot.right) / 2, color: COLORS.quietText });
  if (valueTitle !== undefined) {
    rows.push({
      ...plain,
      text: valueTitle,
      size: labelSize,
      x: labelSize * 1.5,
      y: (plot.top + plot.bottom) / 2,
      angle: -90,
    });
  }
  const isEmpty = chart.series.every(({ timestamps }) => timestamps.length === 0);
  if (isEmpty) {
    const middle = { x: (plot.left + plot.right) / 2, y: (plot.top + plot.bottom) / 2 };
    rows.push({ ...plain, ...middle, text: 'No data', size: labelSize * 1.2, color: COLORS.quietText });
  }
  return rows;
}

/** Entries side by side, centred; what does not fit shortens every name alike. */
function legendRows(chart: Chart, layout: Layout, colors: readonly string[]): Record<string, string | number>[] {
  if (layout.legendY === undefined) return [];
  const { labelSize, legendY: y } = layout;
  const room = chart.width - 2 * labelSize;
  const extra = labelSize * 3.4;
  const longest = room / chart.series.length - extra;
  const full = chart.series.map(({ name }) => textWidth(name, labelSize) + extra);
  const fits = full.reduce((sum, one) => sum + one, 0) <= room;
  const names = chart.series.map(({ name }) => (fits ? name : fitText(name, longest, labelSize)));
  const widths = names.map((name) => textWidth(name, labelSize) + extra);
  let x = (chart.width - widths.reduce((sum, one) => sum + one, 0)) / 2 + labelSize * 0.8;
  return names.map((name, index) => {
    const row = { name, x, y, color: colors[index] ?? COLORS.text };
    x += widths[index] ?? 0;
    return row;
  });
}
