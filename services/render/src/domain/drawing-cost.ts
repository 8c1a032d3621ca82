import type { ChartArguments } from './chart-arguments.ts';

const MIB = 1024 * 1024;
/** A chart has its records, what is drawn of them, and the SVG. */
const DATA_MIB = 32;
/** A chart as vectors. */
export const CHART_SVG_MIB = DATA_MIB;
/** libvips draws an SVG in tiles of 2000 pixels a side, and holds two rows of them. */
const HELD_LINES = 4_000;
const BYTES_PER_PIXEL = 4;

/** A file of 100 MiB, and a picture of `MAX_HELD_PIXELS` where all of it must be decoded. */
export const PREVIEW_MIB = 500;
/** Pixels of formats whose pictures are decoded as a whole, up to 6 bytes a pixel. */
export const MAX_HELD_PIXELS = 64_000_000;

/** Estimated memory for drawing a chart, MiB; measured: 16 000 x 16 000 pixels 300, 8000 x 8000 165 (ADR 0004). */
export function chartMib({
  format,
  width,
  height,
  scale,
}: Pick<ChartArguments, 'format' | 'width' | 'height' | 'scale'>): number {
  if (format === 'SVG' || format === 'PDF') return DATA_MIB;
  const lines = Math.min(height * scale, HELD_LINES);
  return DATA_MIB + Math.ceil((width * scale * lines * BYTES_PER_PIXEL) / MIB);
}

/** Pages show pictures of this size; a larger one takes turns with its like (1600 x 1000 pixels at scale 2 are 81 MiB). */
const LARGE_CHART_MIB = 96;

/** Says how a chart waits among the work of its account. */
export const chartWork = (cost: number) =>
  cost > LARGE_CHART_MIB ? { cost, lane: 'large charts', isBulk: true } : { cost, lane: 'charts' };

/** Returns the memory of a finished picture until its client has it, MiB. */
export const pictureMib = (bytes: Uint8Array): number => bytes.byteLength / MIB;
