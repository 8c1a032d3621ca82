import type { ColorValueRef } from 'vega';
import type { ChartSettings } from '../../../domain/chart-settings.ts';
import { literal } from './data-set.ts';
import { markerShape, primaryColor, secondaryColor } from './palette.ts';

/** Lengths of dashes and gaps in line widths. */
const DASHES: Readonly<Record<ChartSettings['lineStyle'], readonly number[]>> = {
  SOLID: [],
  SHORTDASH: [3, 1],
  SHORTDOT: [1, 1],
  SHORTDASHDOT: [3, 1, 1, 1],
  SHORTDASHDOTDOT: [3, 1, 1, 1, 1, 1],
  DOT: [1, 3],
  DASH: [4, 3],
  LONGDASH: [8, 3],
  DASHDOT: [4, 3, 1, 3],
  LONGDASHDOT: [8, 3, 1, 3],
  LONGDASHDOTDOT: [8, 3, 1, 3, 1, 3],
};

/** Dash pattern in pixels; empty = solid. */
export function strokeDash(style: ChartSettings['lineStyle'], lineWidth: number): number[] {
  return DASHES[style].map((length) => length * Math.max(1, lineWidth));
}

const LINE_VECTORS: Readonly<Partial<Record<ChartSettings['fillStyle'], readonly [number, number, number, number]>>> = {
  LINEAR_TOP: [0, 0, 0, 1],
  LINEAR_BOTTOM: [0, 1, 0, 0],
  LINEAR_LEFT: [0, 0, 1, 0],
  LINEAR_RIGHT: [1, 0, 0, 0],
  PIPE_VERTICAL: [0, 0, 1, 0],
  PIPE_HORIZONTAL: [0, 0, 0, 1],
};

/**
 * Fill of an area or a bar (docs/reference/charts.md#drawing-of-series). LINEAR_<side> begins with the primary colour at
 * that side; a PIPE is primary at both edges and secondary along its middle; RADIAL_INSIDE has the primary colour in the centre.
 */
function fillPaint(style: ChartSettings['fillStyle'], primary: string, secondary: string): ColorValueRef {
  const vector = LINE_VECTORS[style];
  if (vector) {
    const [x1, y1, x2, y2] = vector;
    const colors = style.startsWith('PIPE') ? [primary, secondary, primary] : [primary, secondary];
    return { value: { gradient: 'linear', x1, y1, x2, y2, stops: stops(colors) } };
  }
  if (style === 'RADIAL_INSIDE' || style === 'RADIAL_OUTSIDE') {
    const colors = style === 'RADIAL_INSIDE' ? [primary, secondary] : [secondary, primary];
    return { value: { gradient: 'radial', stops: stops(colors) } };
  }
  return { value: primary };
}

const stops = (colors: readonly string[]) =>
  colors.map((color, index) => ({ offset: index / (colors.length - 1), color }));

/** Fills the inside of an area or a bar. @param fill absent: the colours of the settings */
export const filled = (settings: ChartSettings, index: number, fill?: ColorValueRef) => ({
  fill: fill ?? fillPaint(settings.fillStyle, primaryColor(settings, index), secondaryColor(settings)),
  fillOpacity: literal(settings.fillOpacity / 100),
});

type Marked = Pick<ChartSettings, 'markerType' | 'markerSize'>;

/** Marker of a record. @param least radius in pixels at least */
export const marked = (settings: Marked, index: number, fill: ColorValueRef, least = 0) => ({
  shape: literal(markerShape(settings, index)),
  size: literal((2 * Math.max(settings.markerSize, least)) ** 2),
  fill,
});
