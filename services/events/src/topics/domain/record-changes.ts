import { type Column, type ColumnEffect, type LogEntry, leavesNothing, type TimeRange } from '@catchment/ingest-log';

/** An entry of the ingest log has done this to the records of a series, as a topic reports it. */
export type RecordChange =
  /** Each record is all that there is at its time; or, where it updates, only the parts that it has are others now. */
  | {
      readonly kind: 'written';
      readonly updates: boolean;
      readonly column: Column;
      readonly indexes: readonly number[];
    }
  /** The records at these times are gone. */
  | { readonly kind: 'deletedAt'; readonly column: Column; readonly indexes: readonly number[] }
  /** All records of this range are gone; of the whole series where there is none. */
  | { readonly kind: 'deleted'; readonly series: SeriesPlace; readonly range: TimeRange | undefined };

type SeriesPlace = Pick<Column, 'nodeId' | 'ownerId' | 'workspaceId' | 'sourceId' | 'username'> & {
  readonly timeMs: number;
};

export function columnChanges(effect: ColumnEffect): RecordChange[] {
  const { clears, column, updates } = effect;
  const indexes = [...column.timestamps.keys()].filter(effect.isWritten);
  const [kept, gone] = [
    indexes.filter((index) => !leavesNothing(effect, index)),
    indexes.filter((index) => leavesNothing(effect, index)),
  ];
  return [
    ...(clears ? [{ kind: 'deleted', series: placeOf(column), range: clears } as const] : []),
    ...(gone.length > 0 ? [{ kind: 'deletedAt', column, indexes: gone } as const] : []),
    ...(kept.length > 0 ? [{ kind: 'written', updates, column, indexes: kept } as const] : []),
  ];
}

/** Returns the deletions of an entry, which are no columns. */
export function deletionChanges(entry: LogEntry): RecordChange[] {
  if (entry.kind === 'seriesDelete') return [{ kind: 'deleted', series: entry.seriesDelete, range: undefined }];
  if (entry.kind !== 'nodesDelete') return [];
  const { ownerId, nodeIds, timeMs } = entry.nodesDelete;
  const nowhere = { workspaceId: '', sourceId: '', username: '' };
  return nodeIds.map((nodeId) => ({
    kind: 'deleted',
    series: { nodeId, ownerId, timeMs, ...nowhere },
    range: undefined,
  }));
}

const placeOf = ({ modifiedMs: timeMs, ...column }: Column): SeriesPlace => {
  const { nodeId, ownerId, workspaceId, sourceId, username } = column;
  return { nodeId, ownerId, workspaceId, sourceId, username, timeMs };
};
