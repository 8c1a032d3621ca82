import type { Mark, Spec, Scale as VegaScale } from 'vega';
import type { ChartScales, Frame, Scale } from '../../../domain/chart.ts';
import type { DataSet } from './data-set.ts';
import type { Layout } from './layout.ts';
import { COLORS } from './palette.ts';

/** @typeParam Facts where the data lie, for programs */
export type BuiltPicture<Facts> = { readonly spec: Spec; readonly scales: Facts };

/**
 * Makes the Vega specification of a picture. Positions are pixels of the whole picture: no padding, no automatic size, so that its scales
 * say exactly where the data lie. User texts travel in data sets only, never in expressions.
 */
export const specOf = (
  { width, height }: Pick<Frame, 'width' | 'height'>,
  {
    parts,
    marks,
    scales,
  }: {
    readonly parts: readonly { readonly data: readonly DataSet[] }[];
    readonly marks: readonly Mark[];
    readonly scales: VegaScale[];
  },
): Spec => ({
  width,
  height,
  padding: 0,
  autosize: 'none',
  background: COLORS.background,
  data: parts.flatMap(({ data }) => data).map(({ name, values }) => ({ name, values })),
  scales,
  marks: [...marks],
});

/** Makes Vega's form of a scale, by this name. */
export function vegaScale(name: string, { type, domain, range }: Scale): VegaScale {
  const ends = { name, domain: [...domain], range: [...range], nice: false };
  return type === 'log' ? { ...ends, type: 'log' } : { ...ends, type: 'linear', zero: false };
}

export const plotFacts = ({ plot: { left, top, right, bottom } }: Pick<Layout, 'plot'>): ChartScales['plot'] => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
});
