import type { EffectiveZone } from '@catchment/time';
import type { StoredRecord } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import type { ColumnOptions } from '../domain/column-options.ts';
import type { Outcome } from '../domain/sample.ts';
import type { SeriesView } from '../domain/series-view.ts';
import type { Bounds } from './read-bounds.ts';

/** One column of an answer. */
export type Column = { readonly node: SeriesNode; readonly options: ColumnOptions; readonly view: SeriesView };

/** Columns of an answer share these settings. */
export type ColumnQuery = {
  readonly bounds: Bounds;
  readonly limit: number | undefined;
  readonly nowMs: number;
  readonly zone: EffectiveZone;
};

/** Returns a result as a record of the answer. */
export const resultOf = (
  timeMs: number,
  { value, longitude, quality }: Outcome,
  annotation?: string,
): StoredRecord => ({
  timeMs,
  modifiedMs: 0,
  number: typeof value === 'number' ? value : undefined,
  longitude: value === undefined ? undefined : longitude,
  text: typeof value === 'string' ? value : undefined,
  quality,
  annotation,
});
