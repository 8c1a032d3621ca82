import { inRange, isGap, type Point } from '@catchment/dashboard-view';
import type { Mark } from 'vega';
import type { ChartSeries } from '../../../domain/chart.ts';
import type { SeriesShape } from '../../../domain/series-shape.ts';
import { valuesOf } from '../../../domain/series-shape.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import { interpolation, type Paper, rowOf, type SeriesMarks, vertexOf } from './line-marks.ts';
import type { StyledSeries } from './series-style.ts';

/** More pieces than a picture can show apart: then only the markers are drawn. */
const MAX_PIECES = 2_000;

type Run = { readonly color: string; readonly points: Point[] };

/**
 * Shows the quality of records in its colour (docs/reference/charts.md#drawing-of-series): markers, and for MARKER_LINE and
 * MARKER_FILL the piece from the record to the next one. Codes outside the account's table have no colour and are not marked.
 */
export function qualityMarks(
  series: StyledSeries,
  shape: Extract<SeriesShape, { kind: 'LINE' }>,
  index: number,
  paper: Paper,
): SeriesMarks {
  const { quality } = series.style;
  if (!series.qualities || !quality) return { data: [], marks: [] };
  const runs = qualityRuns(series, paper.startMs, paper.endMs);
  if (runs.length === 0) return { data: [], marks: [] };
  const name = `series-${index}-quality`;
  const vertex = vertexOf(paper.yScale);
  const marks: Mark[] = [];
  const data = [dataSet(`${name}-markers`, markerRows(runs, paper.msPerPixel))];

  if ((quality.line || quality.fill) && runs.length <= MAX_PIECES) {
    const pieces = `${name}-pieces`;
    data.push(
      dataSet(
        pieces,
        runs.flatMap(({ color, points }, piece) => points.map((point) => ({ ...rowOf(point), color, piece }))),
      ),
    );
    const path = { ...vertex, interpolate: interpolation(shape.lineType) };
    marks.push({
      type: 'group',
      name: pieces,
      from: { facet: { name: `${pieces}-facet`, ...rowsOf(pieces), groupby: 'piece' } },
      marks: [
        quality.line
          ? {
              type: 'line',
              from: { data: `${pieces}-facet` },
              clip: paper.clip,
              encode: { enter: { ...path, ...quality.line } },
            }
          : {
              type: 'area',
              from: { data: `${pieces}-facet` },
              clip: paper.clip,
              encode: { enter: { ...path, y2: literal(paper.foot), ...quality.fill?.area } },
            },
      ],
    });
  }
  marks.push({
    type: 'symbol',
    name: `${name}-markers`,
    from: rowsOf(`${name}-markers`),
    encode: { enter: { x: vertex.x, y: vertex.y, ...quality.marker } },
  });
  return { data, marks };
}

/** Neighbouring records of one colour, each run with the record after it, to which the piece of line leads. */
function qualityRuns(series: ChartSeries, startMs: number, endMs: number): Run[] {
  const values = valuesOf(series);
  const { from, to } = inRange(series.timestamps, startMs, endMs);
  const runs: Run[] = [];
  let open: Run | undefined;
  for (let i = from; i < to; i++) {
    const point = { t: series.timestamps[i] as number, v: values[i] as number };
    const color = Number.isNaN(point.v) ? undefined : series.qualityColors?.[series.qualities?.[i] ?? -1];
    if (open && isGap(open.points.at(-1)?.t ?? point.t, point.t, series.gapMs ?? Number.POSITIVE_INFINITY)) {
      open.points.push({ t: point.t, v: Number.NaN });
      open = undefined;
    }
    open?.points.push(point);
    if (color === open?.color) continue;
    open = color === undefined ? undefined : { color, points: [point] };
    if (open) runs.push(open);
  }
  // A run that reaches the end has no follower: a sentinel keeps "all but the last are marked" true.
  open?.points.push({ t: endMs, v: Number.NaN });
  return runs;
}

/** There is one marker per run and pixel column: more would lie on top of each other. */
function markerRows(runs: readonly Run[], msPerPixel: number): { t: number; v: number; color: string }[] {
  const rows: { t: number; v: number; color: string }[] = [];
  for (const { color, points } of runs) {
    let free = Number.NEGATIVE_INFINITY;
    for (const { t, v } of points.slice(0, -1)) {
      if (t < free) continue;
      rows.push({ t, v, color });
      free = t + msPerPixel;
    }
  }
  return rows;
}
