import type { LogEntry } from '@catchment/ingest-log';
import { LRUCache } from 'lru-cache';
import type { Append } from '../../log/index.ts';
import type { LogRoom } from './log-room.ts';
import type { NewSeries, ShardAssignments } from './ports.ts';

type AssignDeps = {
  readonly assignments: ShardAssignments;
  readonly isSpread: () => boolean;
  /** Setting INFLUX_NEW_SHARD; undefined: the shard with the fewest series. */
  readonly newShard: string | undefined;
  readonly room: Pick<LogRoom, 'refused' | 'check'>;
  readonly shardsOf: (nodeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

/** This many series are known to have a shard; each takes some 60 bytes. */
const MAX_KNOWN = 200_000;

/**
 * Assigns series to shards before their first record gets into the log: whoever reads the log finds the assignment. Where the log has no room for the
 * shard of one of them, nothing is appended (`LogRoom.check`).
 */
export function assigningAppend(
  append: Append,
  { assignments, isSpread, newShard, room, shardsOf }: AssignDeps,
): Append {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  return async (partition, entries, deadlineMs, writeId) => {
    if (isSpread()) {
      const series = seriesOf(entries);
      const fresh = series.filter(({ nodeId }) => !known.has(nodeId));
      if (fresh.length > 0) await assignments.assign(fresh, newShard, room.refused);
      for (const { nodeId } of fresh) known.set(nodeId, true);
      if (room.refused.size > 0) room.check((await shardsOf(series.map(({ nodeId }) => nodeId))).values());
    }
    return append(partition, entries, deadlineMs, writeId);
  };
}

/** Series that are written. Deleted nodes are not among them: they need no shard, and room is made for them in any case. */
function seriesOf(entries: readonly LogEntry[]): NewSeries[] {
  const series = new Map<string, NewSeries>();
  const add = ({ nodeId, workspaceId }: NewSeries) => series.set(nodeId, { nodeId, workspaceId });
  for (const entry of entries) {
    if (entry.kind === 'column') add(entry.column);
    if (entry.kind === 'columnPart') add(entry.part.column);
    if (entry.kind === 'seriesDelete') add(entry.seriesDelete);
    if (entry.kind === 'acquisition') add(entry.acquisition);
  }
  return [...series.values()];
}
