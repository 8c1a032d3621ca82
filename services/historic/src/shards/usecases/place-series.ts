import type { LogEntry } from '@catchment/ingest-log';
import { LRUCache } from 'lru-cache';
import type { Append } from '../../log/index.ts';
import type { LogRoom } from './log-room.ts';
import type { NewSeries, ShardPlaces } from './ports.ts';

type PlaceDeps = {
  readonly places: ShardPlaces;
  readonly isSpread: () => boolean;
  /** Setting INFLUX_NEW_SHARD; undefined: the shard with the fewest series. */
  readonly newShard: string | undefined;
  readonly room: Pick<LogRoom, 'refused' | 'check'>;
  readonly shardsOf: (nodeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

/** Series that are known to have a place, some 60 bytes each. */
const MAX_KNOWN = 200_000;

/**
 * Gives series their places before their first record gets into the log: whoever reads it finds them. Where the log has no room for the
 * shard of one of them, nothing is appended (`LogRoom.check`).
 */
export function placedAppend(append: Append, { places, isSpread, newShard, room, shardsOf }: PlaceDeps): Append {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  return async (partition, entries, deadlineMs, writeId) => {
    if (isSpread()) {
      const series = seriesOf(entries);
      const fresh = series.filter(({ nodeId }) => !known.has(nodeId));
      if (fresh.length > 0) await places.place(fresh, newShard, room.refused);
      for (const { nodeId } of fresh) known.set(nodeId, true);
      if (room.refused.size > 0) room.check((await shardsOf(series.map(({ nodeId }) => nodeId))).values());
    }
    return append(partition, entries, deadlineMs, writeId);
  };
}

/** Series that are written. Deleted nodes are not among them: they need no place, and room is made for them in any case. */
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
