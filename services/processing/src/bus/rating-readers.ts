import { type Bus, decoded } from '@catchment/bus';
import { AppliedGroup, type SeriesApplied, type SeriesTouch } from '@catchment/contracts/ingest';
import { floatsOf } from '@catchment/contracts/packed-numbers';
import { RatingsHanded } from '@catchment/contracts/ratings';
import { followNodes } from '@catchment/node-replica';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { type Touch, touchesAll } from '../domain/touch.ts';
import type { FollowedRatings, Work } from '../usecases/ports.ts';

type ReaderDeps = {
  readonly ratings: FollowedRatings;
  /** There may be something to do. */
  readonly wake: (what: Work) => void;
  /** Asks historic of the version before to hand over its ratings. */
  readonly takeRatings: () => Promise<void>;
  readonly log: Logger;
};

const LOOK_EVERY_MS = 500;

/**
 * Follows ratings, and their inputs as they reach the store. A change of an input is of use once all ratings are known: until historic has
 * handed them over, the log keeps it. Readers of their own, because replicas of the version before read for programs alone.
 */
export function readForRatings(
  bus: Pick<Bus, 'readPartitions' | 'readDomain'>,
  { ratings, wake, takeRatings, log }: ReaderDeps,
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
    bus.readDomain('processing-handed', async (messages) => {
      for (const message of messages) {
        const handed = decoded(RatingsHanded, message);
        await ratings.carryOver(handed.ratings, handed.marks);
        if (handed.isLast) await ratings.release();
      }
      wake('check');
    }),
  ];
  let touches: { stop(): Promise<void> } | undefined;
  const look = repeat(
    async () => {
      if (touches) return false;
      if (!(await ratings.isReleased())) {
        await takeRatings();
        return false;
      }
      touches = bus.readPartitions('processing-ratings', async (_partition, messages) => {
        if (await ratings.touch(touchesOf(messages))) wake('due');
      });
      return false;
    },
    { everyMs: LOOK_EVERY_MS, failed: 'ratings could not be taken over, trying again', log },
  );
  return {
    stop: async () => {
      await look.stop();
      await Promise.all([...readers, ...(touches ? [touches] : [])].map((reader) => reader.stop()));
    },
  };
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
  for (const { series, seriesDeletes, namesTouches } of batches) {
    for (const { nodeId, recomputing } of seriesDeletes) add(nodeId, [touchesAll(recomputing)]);
    for (const touched of series) add(touched.nodeId, namesTouches ? touched.touches.map(touchOf) : [guessed(touched)]);
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

/** A writer of the version before names the ends of what it has written, or nothing where records may have gone. */
function guessed({ newest: [last], oldest, recompute }: SeriesApplied): Touch {
  if (recompute || !last || !oldest) return touchesAll(false);
  const range = { fromMs: oldest.timestampMs, toMs: last.timestampMs };
  return { ...range, silent: false, clears: false, timestamps: undefined };
}
