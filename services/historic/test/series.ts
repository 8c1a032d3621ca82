import { NodeConfig, SeriesConfig, ValueType } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { RecordSet, type StoredRecord } from '../src/records/domain/record-set.ts';
import type { SeriesNode } from '../src/series/domain/series-node.ts';

type Change = Omit<Partial<NodeConfig>, 'series'> & { series?: Partial<SeriesConfig> };

/** Makes a parameter of a data source, by default of numbers shown in full. */
export function seriesNode({ series, ...change }: Change = {}): SeriesNode {
  const workspaceId = change.workspaceId ?? newObjectId();
  const sourceId = change.sourceId ?? newObjectId();
  const config = SeriesConfig.fromPartial({
    valueType: ValueType.VALUE_TYPE_NUMBER,
    multiplier: 1,
    displayType: 'VALUE',
    writable: true,
    ...series,
  });
  const node = NodeConfig.fromPartial({
    nodeId: newObjectId(),
    ownerId: newObjectId(),
    class: 'point.NumberPoint',
    name: 'Level',
    revision: 1,
    isActive: true,
    parentId: sourceId,
    ...change,
    workspaceId,
    sourceId,
  });
  return { ...node, series: config };
}

/** Makes records of a series; omitted parts are absent. */
export function recordSet(valueType: ValueType, records: readonly Partial<StoredRecord>[]): RecordSet {
  const set = new RecordSet(valueType);
  for (const record of records) set.add({ ...NOTHING, ...record });
  return set;
}

const NOTHING: StoredRecord = {
  timeMs: 0,
  modifiedMs: 0,
  number: undefined,
  longitude: undefined,
  text: undefined,
  quality: undefined,
  annotation: undefined,
};

export const TYPES = {
  NUMBER: ValueType.VALUE_TYPE_NUMBER,
  TEXT: ValueType.VALUE_TYPE_TEXT,
  TIME: ValueType.VALUE_TYPE_TIME,
  COORDINATES: ValueType.VALUE_TYPE_COORDINATES,
} as const;
