import type { Scale } from './chart.ts';

/** Returns the pixel of a value; NaN where a logarithm has none. */
export function pixelOf({ type, domain, range }: Scale, value: number): number {
  const of = type === 'log' ? Math.log : Number;
  const share = (of(value) - of(domain[0])) / (of(domain[1]) - of(domain[0]));
  return range[0] + share * (range[1] - range[0]);
}
