import type { ValueType } from '@catchment/contracts/nodes';
import type { SeriesNode } from './series-node.ts';

/** The store knows a series by this. */
export type SeriesKey = { readonly nodeId: string; readonly valueType: ValueType };

/** Returns the store's name of a node's series. */
export const keyOf = ({ nodeId, series }: SeriesNode): SeriesKey => ({ nodeId, valueType: series.valueType });
