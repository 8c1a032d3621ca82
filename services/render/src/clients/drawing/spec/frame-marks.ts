import type { Mark } from 'vega';
import type { Frame } from '../../../domain/chart.ts';
import { pixelOf } from '../../../domain/scale.ts';
import { fitText } from '../fonts/text-width.ts';
import { type DataSet, dataSet, literal, rowsOf } from './data-set.ts';
import type { Layout, PlacedAxis, Plot } from './layout.ts';
import { legendMarks } from './legend.ts';
import { COLORS, FONT } from './palette.ts';

/** Marks lie below and above those of the data. All texts travel as data. */
export type Parts = {
  readonly data: readonly DataSet[];
  readonly below: readonly Mark[];
  readonly above: readonly Mark[];
};

type Row = Record<string, string | number>;

/** Draws titles, legend, footer, and the axes of values beside the plot; the grid is that of the first axis that has ticks. */
export function frameMarks(picture: Frame, layout: Layout, isEmpty: boolean): Parts {
  const { plot, axes, labelSize } = layout;
  const grid = axes
    .filter(({ axis }) => axis.ticks.length > 0)
    .slice(0, 1)
    .flatMap((axis) => ticksOf(axis, plot));
  const legend = legendMarks(layout.legend, labelSize);
  const data = [
    dataSet(
      'grid-values',
      grid.map(({ y }) => ({ x: plot.left, x2: plot.right, y: Math.round(y), y2: Math.round(y) })),
    ),
    dataSet('axis-values', labelsOf(layout, picture.width)),
    dataSet(
      'axis-value-lines',
      axes.filter(({ isHidden }) => !isHidden).length > 1 ? axes.flatMap((axis) => linesOf(axis, layout)) : [],
    ),
    dataSet('titles', titleRows(picture, layout, isEmpty)),
    ...legend.data,
  ];
  return {
    data,
    below: [ruleMark('grid-values', COLORS.grid)],
    above: [
      ruleMark('axis-value-lines', COLORS.axis),
      textMark('axis-values', labelSize),
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
      ...legend.marks,
    ],
  };
}

/** Draws straight lines from x, y to x2, y2. */
export const ruleMark = (name: string, color: string): Mark => ({
  type: 'rule',
  name,
  from: rowsOf(name),
  encode: {
    enter: {
      x: { field: 'x' },
      x2: { field: 'x2' },
      y: { field: 'y' },
      y2: { field: 'y2' },
      stroke: literal(color),
    },
  },
});

/** Labels at x, y with their own `align` and `color`. */
export const textMark = (name: string, size: number): Mark => ({
  type: 'text',
  name,
  from: rowsOf(name),
  encode: {
    enter: {
      font: literal(FONT),
      fontSize: literal(size),
      fill: { field: 'color' },
      align: { field: 'align' },
      x: { field: 'x' },
      y: { field: 'y' },
      text: { field: 'label' },
    },
  },
});

/** Returns the ticks of an axis that lie on the plot. */
function ticksOf({ axis, scale }: PlacedAxis, plot: Plot): { y: number; label: string }[] {
  return axis.ticks
    .map(({ v, label }) => ({ y: pixelOf(scale, v), label }))
    .filter(({ y }) => y >= plot.top - 0.5 && y <= plot.bottom + 0.5);
}

/** Labels whose texts would overlap have none: the first of them stays. */
function labelsOf({ plot, axes, labelSize }: Layout, width: number): Row[] {
  return axes.flatMap((axis) => {
    if (axis.isHidden) return [];
    const x = axis.line + (axis.side === 'LEFT' ? -1 : 1) * labelSize * 0.7;
    const taken: number[] = [];
    return ticksOf(axis, plot).flatMap(({ y, label }) => {
      if (taken.some((other) => Math.abs(other - y) < labelSize)) return [];
      taken.push(y);
      return {
        x,
        y: y + labelSize * 0.36,
        label: fitText(label, width * 0.3, labelSize),
        align: axis.side === 'LEFT' ? 'right' : 'left',
        color: axis.color,
      };
    });
  });
}

function linesOf(axis: PlacedAxis, { plot, labelSize }: Layout): Row[] {
  if (axis.isHidden) return [];
  const end = axis.line + (axis.side === 'LEFT' ? -1 : 1) * labelSize * 0.4;
  return [
    { x: axis.line, x2: axis.line, y: plot.top, y2: plot.bottom },
    ...ticksOf(axis, plot).map(({ y }) => ({ x: axis.line, x2: end, y: Math.round(y), y2: Math.round(y) })),
  ];
}

function titleRows(picture: Frame, layout: Layout, isEmpty: boolean): Row[] {
  const { plot, title, subtitle, footer, axes, labelSize } = layout;
  const rows: Row[] = [];
  const plain = { angle: 0, weight: 'normal', color: COLORS.text };
  const middle = { x: (plot.left + plot.right) / 2, y: (plot.top + plot.bottom) / 2 };
  if (title) rows.push({ ...plain, ...title, x: picture.width / 2, weight: 'bold' });
  if (subtitle) rows.push({ ...plain, ...subtitle, x: picture.width / 2, color: COLORS.quietText });
  if (footer) rows.push({ ...plain, ...footer, x: middle.x, color: COLORS.quietText });
  for (const { title: axisTitle, side, color } of axes) {
    if (axisTitle)
      rows.push({ ...plain, ...axisTitle, color, size: labelSize, y: middle.y, angle: side === 'LEFT' ? -90 : 90 });
  }
  if (isEmpty) rows.push({ ...plain, ...middle, text: 'No data', size: labelSize * 1.2, color: COLORS.quietText });
  return rows;
}
