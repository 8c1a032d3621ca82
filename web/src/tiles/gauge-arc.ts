/** The ring of a gauge is in units of its drawing: HALF is the upper half, FULL leaves an eighth open at the bottom. */
const SHAPES = {
  HALF: { from: -90, to: 90, viewBox: '0 0 200 112', radius: 86, center: [100, 100] },
  FULL: { from: -135, to: 135, viewBox: '0 0 200 176', radius: 86, center: [100, 98] },
} as const;

export type GaugeShape = keyof typeof SHAPES;

export const viewBoxOf = (shape: GaugeShape): string => SHAPES[shape].viewBox;

/** Finds where a number stands on the ring, from 0 to 1; beyond its ends the ring is full or empty. */
export const shareOf = (value: number, minimum: number, maximum: number): number =>
  maximum > minimum ? Math.min(Math.max((value - minimum) / (maximum - minimum), 0), 1) : 0;

/** Returns the path of the ring from its beginning to this share. */
export function arcPath(shape: GaugeShape, share: number): string {
  const { from, to, radius } = SHAPES[shape];
  const end = from + (to - from) * share;
  const isLong = end - from > 180 ? 1 : 0;
  return `M${pointAt(shape, from)}A${radius} ${radius} 0 ${isLong} 1 ${pointAt(shape, end)}`;
}

/** @param degrees clockwise from the top */
function pointAt(shape: GaugeShape, degrees: number): string {
  const { center, radius } = SHAPES[shape];
  const angle = (degrees * Math.PI) / 180;
  return `${(center[0] + radius * Math.sin(angle)).toFixed(2)} ${(center[1] - radius * Math.cos(angle)).toFixed(2)}`;
}
