import { WriteMode } from '@catchment/contracts/ingest';
import { type Column, FLAG, flagsAt, hasBit, type LogEntry, overwriteOf, type TimeRange } from '@catchment/ingest-log';

/** What an entry of the ingest log has done to the records of one series, as a topic tells it. */
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

export type SeriesPlace = Pick<Column, 'nodeId' | 'ownerId' | 'workspaceId' | 'sourceId' | 'username'> & {
  readonly timeMs: number;
};

const PRESENT = FLAG.value | FLAG.quality | FLAG.annotation;
const SENT_AS_NULL = FLAG.valueNull | FLAG.qualityNull | FLAG.annotationNull;

/** Returns whether historic has to say which records of a column were written (docs/reference/writing.md#write-modes). */
export const needsVerdict = (column: Column): boolean =>
  column.timestamps.length > 0 && overwriteOf(column) === undefined;

/** @param written one bit for each record where `needsVerdict` */
export function columnChanges(column: Column, written: Uint8Array): RecordChange[] {
  const all = [...column.timestamps.keys()];
  const overwrite = overwriteOf(column);
  if (overwrite) {
    const { clears, records } = overwrite;
    return [
      ...(clears ? [{ kind: 'deleted', series: placeOf(column), range: clears } as const] : []),
      ...(records ? split(records, all, false) : []),
    ];
  }
  const updates = column.writeMode === WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING;
  return split(
    column,
    all.filter((index) => hasBit(written, index)),
    updates,
  );
}

/** What an entry has done that is no column. */
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

/** Records that hold something, and those that take it away. */
function split(column: Column, indexes: readonly number[], updates: boolean): RecordChange[] {
  const holds = (index: number) => {
    const flags = flagsAt(column, index);
    if (flags & FLAG.deleteMarker) return false;
    return (flags & (updates ? PRESENT | SENT_AS_NULL : PRESENT)) !== 0;
  };
  const [kept, gone] = [indexes.filter(holds), indexes.filter((index) => !holds(index))];
  return [
    ...(gone.length > 0 ? [{ kind: 'deletedAt', column, indexes: gone } as const] : []),
    ...(kept.length > 0 ? [{ kind: 'written', updates, column, indexes: kept } as const] : []),
  ];
}
