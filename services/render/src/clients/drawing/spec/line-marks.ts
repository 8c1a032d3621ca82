import type { Point } from '@catchment/dashboard-view';
import type { Mark } from 'vega';
import type { Scale } from '../../../domain/chart.ts';
import type { ChartSettings } from '../../../domain/chart-settings.ts';
import { lonelyPoints } from '../../../domain/points.ts';
import type { SeriesShape } from '../../../domain/series-shape.ts';
import { type DataSet, dataSet, literal, rowsOf } from './data-set.ts';
import type { SeriesStyle } from './series-style.ts';

export type SeriesMarks = { readonly data: readonly DataSet[]; readonly marks: readonly Mark[] };
/** Marks may paint here. */
export type Paper = {
  readonly clip: { readonly path: string };
  /** Vega names the axis of values `yScale`. */
  readonly scale: Scale;
  readonly yScale: string;
  /** Pixel where fills stand: that of zero, or of the end of the axis that is nearest to it. */
  readonly foot: number;
  /** Unix ms, the chart's range. */
  readonly startMs: number;
  readonly endMs: number;
  readonly msPerPixel: number;
  /** Solid lines of more vertices are drawn in pieces; absent: none. */
  readonly pieceVertices?: number;
};

/** Vega joins the vertices like this (docs/reference/charts.md#drawing-of-series). */
const INTERPOLATE = {
  NORMAL: 'linear',
  STEP_LEFT: 'step-after',
  STEP_CENTER: 'step',
  STEP_RIGHT: 'step-before',
  SPLINE: 'monotone',
} as const satisfies Record<ChartSettings['lineType'], string>;

/** Scaled vertex; a row without value breaks the line. */
export const vertexOf = (yScale: string) =>
  ({ x: { scale: 'x', field: 't' }, y: { scale: yScale, field: 'v' }, defined: { field: 'defined' } }) as const;

export const interpolation = (lineType: ChartSettings['lineType']) => literal(INTERPOLATE[lineType]);

/** A logarithm has a place for 1 where it has none for 0. */
export const rowOf = ({ t, v }: Point) => ({ t, v: Number.isNaN(v) ? 1 : v, defined: !Number.isNaN(v) });

/** Splits rows into pieces, each from the last vertex of the one before. */
function inPieces(points: readonly Point[], vertices: number) {
  const count = Math.ceil(points.length / vertices);
  return Array.from({ length: count }, (_, piece) =>
    points
      .slice(Math.max(0, piece * vertices - 1), (piece + 1) * vertices)
      .map((point) => ({ ...rowOf(point), piece })),
  ).flat();
}

/** Fill, shadow, line and markers of one series; the line is one path of class `series-<index>`. */
export function lineMarks(
  shape: Extract<SeriesShape, { kind: 'LINE' }>,
  { fill, line, shadow, marker, lonely }: SeriesStyle,
  index: number,
  paper: Paper,
): SeriesMarks {
  const name = `series-${index}`;
  const data: DataSet[] = [dataSet(name, shape.points.map(rowOf))];
  const marks: Mark[] = [];
  const vertex = vertexOf(paper.yScale);
  const path = { ...vertex, interpolate: interpolation(shape.lineType) };
  const { clip, pieceVertices = Number.POSITIVE_INFINITY } = paper;

  if (fill) {
    marks.push({
      type: 'area',
      name: `${name}-fill`,
      from: rowsOf(name),
      clip,
      encode: { enter: { ...path, y2: literal(paper.foot), ...fill } },
    });
  }
  if (line) {
    if (shadow) {
      marks.push({
        type: 'line',
        name: `${name}-shadow`,
        from: rowsOf(name),
        clip,
        encode: {
          enter: {
            ...path,
            x: { ...vertex.x, offset: 1.5 },
            y: { ...vertex.y, offset: 1.5 },
            ...shadow.line,
          },
        },
      });
    }
    const whole: Mark = { type: 'line', name, from: rowsOf(name), clip, encode: { enter: { ...path, ...line.paint } } };
    // Dashes run through, and so does a smooth curve.
    if (shape.points.length <= pieceVertices || !line.isSolid || shape.lineType === 'SPLINE') marks.push(whole);
    else {
      const pieces = `${name}-pieces`;
      data.push(dataSet(pieces, inPieces(shape.points, pieceVertices)));
      marks.push({
        type: 'group',
        name: pieces,
        from: { facet: { name: `${pieces}-facet`, ...rowsOf(pieces), groupby: 'piece' } },
        marks: [{ ...whole, from: { data: `${pieces}-facet` } }],
      });
    }
  }
  // Markers are whole also at the edges; bounding records outside have none, nor has the end of a step.
  const markers = (marker ? shape.points : lonelyPoints(shape.points)).filter(
    ({ t, v, isHold }) => !isHold && !Number.isNaN(v) && t >= paper.startMs && t <= paper.endMs,
  );
  const paint = marker ?? lonely;
  if (paint && markers.length > 0) {
    data.push(dataSet(`${name}-markers`, markers.map(rowOf)));
    marks.push({
      type: 'symbol',
      name: `${name}-markers`,
      from: rowsOf(`${name}-markers`),
      encode: { enter: { x: vertex.x, y: vertex.y, ...paint } },
    });
  }
  return { data, marks };
}
