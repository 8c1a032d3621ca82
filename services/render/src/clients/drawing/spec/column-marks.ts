import type { EncodeEntry, Mark, SymbolEncodeEntry } from 'vega';
import { pixelOf } from '../../../domain/scale.ts';
import type { Bar, SeriesShape } from '../../../domain/series-shape.ts';
import { type DataSet, dataSet, literal, rowsOf } from './data-set.ts';
import type { Paper, SeriesMarks } from './line-marks.ts';
import type { StyledSeries } from './series-style.ts';

/** A bar this many times as wide as its edge shows the edge. */
const EDGED = 5;

/** Bars from zero, or from the bar that they stand on, at least one pixel wide, one rectangle per record with a value. */
export function columnMarks(
  series: StyledSeries,
  shape: Extract<SeriesShape, { kind: 'COLUMN' }>,
  index: number,
  paper: Paper,
): SeriesMarks {
  const { color, fill, line, shadow, marker, quality } = series.style;
  const name = `series-${index}`;
  const rows = shape.bars.map((bar) => rowOf(bar, paper));
  const narrowest = rows.reduce((least, { from, to }) => Math.min(least, (to - from) / paper.msPerPixel), Infinity);
  const edge = line && narrowest >= EDGED * line.width ? line.width : undefined;
  const paint = {
    ...fill,
    ...((edge !== undefined || !fill) && {
      stroke: literal(color),
      // The edge of a bar of no height would look like a line.
      strokeWidth: { field: 'edge' },
    }),
  };
  const colored = coloredBars(series, shape.bars);
  const piece = quality?.fill?.bar ?? quality?.line;
  const parts = [
    ...(shadow ? [bars(`${name}-shadow`, rows, paper, shadow.bar, 2)] : []),
    bars(
      name,
      rows.map((row) => ({ ...row, edge: row.top === row.foot ? 0 : (edge ?? 1) })),
      paper,
      paint,
    ),
    ...(piece && colored.length > 0
      ? [
          bars(
            `${name}-quality-pieces`,
            colored.map((bar) => ({ ...rowOf(bar, paper), color: bar.color })),
            paper,
            piece,
          ),
        ]
      : []),
    ...(marker ? [tops(`${name}-markers`, shape.bars, paper, marker)] : []),
    ...(quality && colored.length > 0 ? [tops(`${name}-quality-markers`, colored, paper, quality.marker)] : []),
  ];
  return { data: parts.map(({ data }) => data), marks: parts.map(({ mark }) => mark) };
}

/** A logarithm has no zero: there bars stand on the edge of the plot. */
function rowOf({ from, to, base, v }: Bar, { scale, foot: edge, msPerPixel }: Paper) {
  const foot = pixelOf(scale, base);
  return {
    from,
    to: Math.max(to, from + msPerPixel),
    top: pixelOf(scale, v),
    foot: Number.isFinite(foot) ? foot : edge,
  };
}

type Part = { readonly data: DataSet; readonly mark: Mark };

function bars(
  name: string,
  rows: Record<string, string | number>[],
  { clip }: Paper,
  paint: EncodeEntry,
  offset = 0,
): Part {
  return {
    data: dataSet(name, rows),
    mark: {
      type: 'rect',
      name,
      from: rowsOf(name),
      clip,
      encode: {
        enter: {
          x: { scale: 'x', field: 'from', offset },
          x2: { scale: 'x', field: 'to', offset },
          y: { field: 'top', offset },
          y2: { field: 'foot' },
          ...paint,
        },
      },
    },
  };
}

function tops(
  name: string,
  of: readonly (Bar & { readonly color?: string })[],
  { scale }: Paper,
  marker: SymbolEncodeEntry,
): Part {
  return {
    data: dataSet(
      name,
      of.map(({ from, to, v, color = '' }) => ({ t: (from + to) / 2, y: pixelOf(scale, v), color })),
    ),
    mark: {
      type: 'symbol',
      name,
      from: rowsOf(name),
      encode: {
        enter: {
          x: { scale: 'x', field: 't' },
          y: { field: 'y' },
          ...marker,
        },
      },
    },
  };
}

/** Returns the bars whose records have a quality with a colour (docs/reference/charts.md#drawing-of-series). */
function coloredBars(series: StyledSeries, of: readonly Bar[]): (Bar & { readonly color: string })[] {
  const { qualities, qualityColors, timestamps, style } = series;
  if (!qualities || !qualityColors || !style.quality) return [];
  const colors = new Map<number, string>();
  timestamps.forEach((t, index) => {
    const color = qualityColors[qualities[index] ?? -1];
    if (color !== undefined) colors.set(t, color);
  });
  return of.flatMap((bar) => {
    const color = colors.get(bar.t);
    return color === undefined ? [] : { ...bar, color };
  });
}
