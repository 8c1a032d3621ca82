import type { Scale } from '../../../domain/chart.ts';
import { pixelOf } from '../../../domain/scale.ts';
import type { Flag } from '../../../domain/series-shape.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import type { Layout } from './layout.ts';
import type { SeriesMarks } from './line-marks.ts';
import { COLORS, FONT } from './palette.ts';
import type { StyledSeries } from './series-style.ts';

type PlacedFlag = { x: number; top: number; left: number; right: number; label: string; color: string };

/** The flags of a series are put up here: several series share the plot in strips, one below the other. */
export type Strip = { readonly top: number; readonly bottom: number; readonly time: Scale };

/**
 * State names of a text parameter as flags: a pole at the time, the name in a box on it, in as many rows as are needed
 * to keep names apart. Where no row is free, the pole stands without a name.
 */
export function flagMarks(
  series: StyledSeries,
  flags: readonly Flag[],
  index: number,
  { labelSize, plot: whole }: Layout,
  { time, ...strip }: Strip,
): SeriesMarks {
  const plot = { ...whole, ...strip };
  const boxHeight = labelSize * 1.7;
  const rows = placeFlags(series, flags, { plot, labelSize, time }, boxHeight);
  if (rows.length === 0) return { data: [], marks: [] };
  const name = `series-${index}`;
  const color = { field: 'color' } as const;
  return {
    data: [
      dataSet(name, rows),
      dataSet(
        `${name}-names`,
        rows.filter(({ label }) => label !== ''),
      ),
    ],
    marks: [
      {
        type: 'rule',
        name: `${name}-poles`,
        from: rowsOf(name),
        encode: {
          enter: {
            x: { field: 'x' },
            y: { field: 'top' },
            y2: literal(plot.bottom),
            stroke: color,
            strokeWidth: literal(1.25),
          },
        },
      },
      {
        type: 'rect',
        name,
        from: rowsOf(`${name}-names`),
        encode: {
          enter: {
            x: { field: 'left' },
            x2: { field: 'right' },
            y: { field: 'top' },
            height: literal(boxHeight),
            fill: literal(COLORS.background),
            stroke: color,
            strokeWidth: literal(1.25),
          },
        },
      },
      {
        type: 'text',
        name: `${name}-names`,
        from: rowsOf(`${name}-names`),
        encode: {
          enter: {
            x: { field: 'left', offset: labelSize * 0.5 },
            y: { field: 'top', offset: labelSize * 1.2 },
            text: { field: 'label' },
            font: literal(FONT),
            fontSize: literal(labelSize),
            fill: literal(COLORS.text),
          },
        },
      },
    ],
  };
}

function placeFlags(
  series: StyledSeries,
  flags: readonly Flag[],
  { plot, labelSize, time }: Pick<Layout, 'plot' | 'labelSize'> & Pick<Strip, 'time'>,
  boxHeight: number,
): PlacedFlag[] {
  const rowHeight = boxHeight * 1.35;
  const rowEnds = new Array<number>(Math.max(1, Math.floor((plot.bottom - plot.top - rowHeight) / rowHeight))).fill(
    plot.left - 1,
  );
  const placed: PlacedFlag[] = [];
  let lastPole = Number.NEGATIVE_INFINITY;
  for (const { t, state } of flags) {
    const x = pixelOf(time, t);
    const { name = '', isAlarm = false } = series.states[state] ?? {};
    const label = fitText(name, (plot.right - plot.left) * 0.4, labelSize);
    const width = textWidth(label, labelSize) + labelSize;
    // The flag flies to the left at the right edge.
    const left = x + width > plot.right ? x - width : x;
    const row = rowEnds.findIndex((end) => end < left);
    if (row < 0 && x - lastPole < 1) continue;
    lastPole = x;
    const color = isAlarm ? COLORS.alarm : series.style.color;
    if (row < 0) {
      placed.push({ x, left: x, right: x, top: plot.bottom - rowHeight * 0.5, label: '', color });
      continue;
    }
    rowEnds[row] = left + width + labelSize * 0.3;
    placed.push({ x, left, right: left + width, top: row, label, color });
  }
  // Rows spread over the plot: the first one is the highest.
  const used = placed.reduce((most, { label, top }) => (label === '' ? most : Math.max(most, top)), 0) + 1;
  const distance = Math.max(rowHeight, (plot.bottom - plot.top) / (used + 1));
  return placed.map((flag) =>
    flag.label === '' ? flag : { ...flag, top: plot.top + labelSize + flag.top * distance },
  );
}
