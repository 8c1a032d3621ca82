import { PALETTE_SIZE, paletteColor } from '@catchment/dashboard-view';
import type { ColorValueRef, EncodeEntry, SymbolEncodeEntry } from 'vega';
import type { ChartSeries } from '../../../domain/chart.ts';
import { type ChartSettings, showsQuality } from '../../../domain/chart-settings.ts';
import { literal } from './data-set.ts';

/**
 * A series looks like this. Lines, bars, qualities and the legend paint with these encodings and ask no settings; what is
 * undefined is not drawn.
 */
export type SeriesStyle = {
  readonly color: string;
  /** Fills areas and bars. */
  readonly fill: EncodeEntry | undefined;
  /** The line, or the edge of a bar; its width is in pixels. */
  readonly line: { readonly width: number; readonly isSolid: boolean; readonly paint: EncodeEntry } | undefined;
  readonly shadow: { readonly line: EncodeEntry; readonly bar: EncodeEntry } | undefined;
  /** Stands at each record. */
  readonly marker: SymbolEncodeEntry | undefined;
  /** Stands at a record that no line reaches. */
  readonly lonely: SymbolEncodeEntry | undefined;
  readonly quality: QualityStyle | undefined;
  /** Stands for a line in the legend. */
  readonly sign: LineSign;
};

/** Records of a quality look like this, in the colour of their row: a marker, and the line or the fill up to the next record. */
type QualityStyle = {
  readonly marker: SymbolEncodeEntry;
  readonly line: EncodeEntry | undefined;
  readonly fill: { readonly area: EncodeEntry; readonly bar: EncodeEntry } | undefined;
};

/** Dash and width are in pixels; the marker is a shape of Vega. */
export type LineSign = { readonly dash: readonly number[]; readonly width: number; readonly marker?: string };

export type StyledSeries = ChartSeries & { readonly style: SeriesStyle };

/** @param index of the series in its picture: AUTOMATIC settings differ by it */
export function styleOf(settings: ChartSettings, index: number): SeriesStyle {
  const { lineWidth: width, markerSize } = settings;
  const color = settings.primaryColor === 'AUTOMATIC' ? paletteColor(index) : settings.primaryColor;
  const lineStyle = distinguished(settings, index);
  const isSolid = lineStyle === 'SOLID';
  const dash = strokeDash(lineStyle, width);
  const stroke = {
    strokeJoin: literal('round'),
    strokeCap: literal(isSolid ? 'round' : 'butt'),
    strokeDash: literal(dash),
  } as const;
  const shape = markerShape(settings.markerType, index);
  const marker = markerSize > 0 ? marked(shape, markerSize, literal(color)) : undefined;
  const paint = { ...stroke, stroke: literal(color), strokeWidth: literal(width) };
  return {
    color,
    fill: settings.fillStyle === 'NONE' ? undefined : { fill: fillPaint(settings, color), ...fillOpacity(settings) },
    line: width > 0 ? { width, isSolid, paint } : undefined,
    shadow: settings.shadow ? shadowOf(stroke, width) : undefined,
    marker,
    lonely: marker || width === 0 ? undefined : marked('circle', width * 0.75, literal(color)),
    quality: showsQuality(settings) ? qualityOf(settings, shape) : undefined,
    sign: {
      dash,
      // Thick enough for its colour.
      width: width > 0 ? Math.max(width, 2) : 0,
      ...((marker || width === 0) && { marker: shape }),
    },
  };
}

const fillOpacity = (settings: ChartSettings) => ({ fillOpacity: literal(settings.fillOpacity / 100) });

const shadowOf = (stroke: EncodeEntry, width: number): SeriesStyle['shadow'] => ({
  line: { ...stroke, stroke: literal('#000000'), strokeOpacity: literal(0.15), strokeWidth: literal(width + 2) },
  bar: { fill: literal('#000000'), fillOpacity: literal(0.15) },
});

function qualityOf(settings: ChartSettings, shape: string): QualityStyle {
  const { qualityStyle, lineWidth, markerSize } = settings;
  const color = { field: 'color' };
  const line = { stroke: color, strokeWidth: literal(Math.max(lineWidth, 1)) };
  const fill = { area: { fill: color, ...fillOpacity(settings) }, bar: { fill: color } };
  return {
    marker: marked(shape, Math.max(markerSize, 3), color),
    line: qualityStyle === 'MARKER_LINE' ? line : undefined,
    fill: qualityStyle === 'MARKER_FILL' ? fill : undefined,
  };
}

/** @param radius pixels */
const marked = (shape: string, radius: number, fill: ColorValueRef): SymbolEncodeEntry => ({
  shape: literal(shape),
  size: literal((2 * radius) ** 2),
  fill,
});

/** AUTOMATIC gives series these markers in their order, cyclically (docs/reference/charts.md#chart-endpoint), by Vega's names. */
const MARKERS = ['circle', 'diamond', 'square', 'triangle-up', 'triangle-down'] as const;

/** Returns Vega's name of the marker of the series at `index`. */
function markerShape(type: ChartSettings['markerType'], index: number): string {
  switch (type) {
    case 'AUTOMATIC':
      return MARKERS[index % MARKERS.length] ?? MARKERS[0];
    case 'TRIANGLE':
      return 'triangle-up';
    default:
      return type.toLowerCase();
  }
}

/** Dashes of lines whose colours repeat, in the order of the repetitions. */
const ROUNDS = ['SOLID', 'DASH', 'DOT', 'DASHDOT', 'LONGDASH', 'LONGDASHDOT'] as const;

/** A line whose AUTOMATIC colour comes again has another dash, where none was chosen. */
function distinguished({ primaryColor, lineStyle }: ChartSettings, index: number): ChartSettings['lineStyle'] {
  if (primaryColor !== 'AUTOMATIC' || lineStyle !== 'SOLID') return lineStyle;
  return ROUNDS[Math.floor(index / PALETTE_SIZE) % ROUNDS.length] ?? 'SOLID';
}

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
function fillPaint({ fillStyle: style, secondaryColor }: ChartSettings, primary: string): ColorValueRef {
  const secondary = secondaryColor === 'AUTOMATIC' ? '#ffffff' : secondaryColor;
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
