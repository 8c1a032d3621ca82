import { type NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { type Column, FLAG } from '@catchment/ingest-log';
import type { SeriesNode } from './series-node.ts';

type RemovedSeries = Pick<SeriesNode, 'nodeId' | 'ownerId' | 'workspaceId' | 'sourceId' | 'series'>;
type Facts = { readonly notifyOn: NotifyOn; readonly modifiedMs: number };

/** Empties a range, in the name of the system; Unix ms, both inclusive. */
export function rangeRemoval(node: RemovedSeries, fromMs: number, toMs: number, facts: Facts): Column {
  const { nodeId, ownerId, workspaceId, sourceId } = node;
  const { valueType } = node.series;
  const timestamps = fromMs === toMs ? Float64Array.of(fromMs) : Float64Array.of(fromMs, toMs);
  return {
    nodeId,
    ownerId,
    workspaceId,
    sourceId,
    valueType,
    ...facts,
    timestamps,
    writeMode: WriteMode.WRITE_MODE_DELETE_RANGE,
    username: 'System',
    flags: Uint8Array.of(FLAG.deleteMarker),
    numbers: new Float64Array(0),
    texts: [],
    qualities: new Uint16Array(0),
    annotations: new Map<number, string>(),
    traceparent: '',
  };
}
