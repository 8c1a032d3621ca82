import { type Bus, decoded } from '@catchment/bus';
import { AppliedGroup, type SeriesTouch } from '@catchment/contracts/ingest';
import { floatsOf } from '@catchment/contracts/packed-numbers';
import { followNodes } from '@catchment/node-replica';
import { type Touch, touchesAll } from '../domain/touch.ts';
import type { FollowedRatings, Work } from '../usecases/ports.ts';

type ReaderDeps = {
  readonly ratings: FollowedRatings;
  /** There may be something to do. */
  readonly wake: (what: Work) => void;
};

/** Follows ratings, and their inputs as they reach the store. */
export function readForRatings(
  bus: Pick<Bus, 'readPartitions' | 'readDomain'>,
  { ratings, wake }: ReaderDeps,
): { stop(): Promise<void> } {
  const readers = [
    followNodes(bus, 'processing-rating-nodes', {
      changed: async (changes) => {
        await ratings.follow(changes);
        wake('check');
      },
      deleted: async (deletions) => {
        for (const { nodes, timeMs } of deletions)
          await ratings.forget(
            nodes.map(({ nodeId }) => nodeId),
            timeMs,
          );
      },
    }),
    bus.readPartitions('processing-ratings', async (_partition, messages) => {
      if (await ratings.touch(touchesOf(messages))) wake('due');
    }),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

/** Describes what messages did to series. A series that is emptied to be computed anew is emptied silently. */
function touchesOf(messages: readonly { readonly subject: string; readonly data: Uint8Array }[]): Map<string, Touch[]> {
  const bySeries = new Map<string, Touch[]>();
  const add = (nodeId: string, touches: readonly Touch[]) => {
    const known = bySeries.get(nodeId);
    if (known) known.push(...touches);
    else bySeries.set(nodeId, [...touches]);
  };
  const batches = messages.flatMap((message) => decoded(AppliedGroup, message).batches);
  for (const { series, seriesDeletes } of batches) {
    for (const { nodeId, recomputing } of seriesDeletes) add(nodeId, [touchesAll(recomputing)]);
    for (const { nodeId, touches } of series) add(nodeId, touches.map(touchOf));
  }
  return bySeries;
}

/** Reads what the writer of the log says of a series. */
export const touchOf = ({ fromMs, toMs = fromMs, silent, clears, timestamps, stepMs }: SeriesTouch): Touch => ({
  fromMs,
  toMs,
  silent,
  clears,
  timestamps: timesOf(fromMs, toMs, { clears, timestamps, stepMs }),
});

function timesOf(
  fromMs: number,
  toMs: number,
  { clears, timestamps, stepMs }: Pick<SeriesTouch, 'clears' | 'timestamps' | 'stepMs'>,
): Float64Array | undefined {
  if (toMs === fromMs && !clears) return Float64Array.of(fromMs);
  if (stepMs > 0) return Float64Array.from({ length: (toMs - fromMs) / stepMs + 1 }, (_, n) => fromMs + n * stepMs);
  return timestamps.length > 0 ? floatsOf(timestamps) : undefined;
}
