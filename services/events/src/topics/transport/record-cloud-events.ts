import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG, flagsAt } from '@catchment/ingest-log';
import { formatIsoMs } from '@catchment/time';
import { cloudEvent } from '../../domain/cloud-event.ts';
import type { RecordChange } from '../domain/record-changes.ts';
import type { TopicMessage } from '../usecases/ports.ts';

/** Records of one CloudEvent. */
const RECORDS_MAX = 1_000;
/** Approximate size of its values: texts may be long. */
const BYTES_MAX = 256 * 1024;

/** A type has this name, and its values this unit here. */
const TYPES: Partial<Record<ValueType, string>> = {
  [ValueType.VALUE_TYPE_NUMBER]: 'NUMBER',
  [ValueType.VALUE_TYPE_TEXT]: 'TEXT',
  [ValueType.VALUE_TYPE_TIME]: 'TIME',
  [ValueType.VALUE_TYPE_COORDINATES]: 'COORDINATES',
};

/**
 * Makes messages of a topic (docs/reference/events.md#topics) of what happened to records of a series, each when it is
 * asked for.
 * @param placeId names the entry of the log: the same whenever it is sent
 */
export function* recordMessages(change: RecordChange, placeId: string): Iterable<TopicMessage> {
  if (change.kind === 'deleted') {
    const { series, range } = change;
    const { timeMs, ...place } = series;
    const bounds = range && { startTime: formatIsoMs(range.fromMs), endTime: formatIsoMs(range.toMs) };
    yield message('io.catchment.records.deleted.v1', placeId, place, timeMs, { ...bounds });
    return;
  }
  const { column, indexes } = change;
  for (const [chunk, some] of chunksOf(column, indexes).entries()) {
    const id = `${placeId}-${change.kind === 'deletedAt' ? 'd' : 'w'}${chunk}`;
    const times = (index: number) => formatIsoMs(column.timestamps[index] ?? 0);
    if (change.kind === 'deletedAt')
      yield message('io.catchment.records.deleted.v1', id, column, column.modifiedMs, { times: some.map(times) });
    else
      yield message('io.catchment.records.written.v1', id, column, column.modifiedMs, {
        valueType: TYPES[column.valueType],
        mode: change.updates ? 'UPDATE' : 'REPLACE',
        records: some.map((index) => ({ ts: times(index), ...record(column, index, change.updates) })),
      });
  }
}

type Place = Pick<Column, 'nodeId' | 'ownerId' | 'workspaceId' | 'sourceId' | 'username'>;

function message(type: string, id: string, place: Place, timeMs: number, data: Record<string, unknown>): TopicMessage {
  const { nodeId, ownerId, workspaceId, sourceId, username } = place;
  const event = cloudEvent({
    id,
    ownerId,
    type,
    timeMs,
    nodeId,
    data: {
      nodeId,
      ownerId,
      ...(workspaceId !== '' && { workspaceId }),
      ...(sourceId !== '' && { sourceId }),
      ...(username !== '' && { username }),
      ...data,
    },
  });
  return { id, key: ownerId, value: JSON.stringify(event) };
}

/** The form is that of JTS: value, quality and annotation where there are. An update has null for what it removes. */
function record(column: Column, index: number, updates: boolean): Record<string, unknown> {
  const flags = flagsAt(column, index);
  const part = (present: number, sentAsNull: number, value: () => unknown) => {
    if (flags & present) return value();
    return updates && flags & sentAsNull ? null : undefined;
  };
  return {
    v: part(FLAG.value, FLAG.valueNull, () => valueAt(column, index)),
    q: part(FLAG.quality, FLAG.qualityNull, () => column.qualities[index] ?? 0),
    a: part(FLAG.annotation, FLAG.annotationNull, () => column.annotations.get(index) ?? ''),
  };
}

function valueAt(column: Column, index: number): unknown {
  switch (column.valueType) {
    case ValueType.VALUE_TYPE_TEXT:
      return column.texts[index];
    case ValueType.VALUE_TYPE_TIME:
      return formatIsoMs(column.numbers[index] ?? 0);
    case ValueType.VALUE_TYPE_COORDINATES:
      return [column.numbers[2 * index], column.numbers[2 * index + 1]];
    default:
      return column.numbers[index];
  }
}

function chunksOf(column: Column, indexes: readonly number[]): number[][] {
  const chunks: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const index of indexes) {
    const size = 64 + (column.texts[index]?.length ?? 0) + (column.annotations.get(index)?.length ?? 0);
    const chunk = chunks.at(-1);
    if (chunk && chunk.length < RECORDS_MAX && bytes + size <= BYTES_MAX) {
      chunk.push(index);
      bytes += size;
    } else {
      chunks.push([index]);
      bytes = size;
    }
  }
  return chunks;
}
