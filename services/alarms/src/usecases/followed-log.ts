import { setTimeout as delay } from 'node:timers/promises';
import { partitionOf } from '@catchment/ids';

/** States follow this of the ingest log. */
export type FollowedLog = {
  readonly partitions: number;
  /** Sequence of its newest message. */
  readonly end: () => Promise<number>;
  /** Returns whether states follow a partition up to a sequence. */
  readonly isFollowed: (partition: number, sequence: number) => Promise<boolean>;
};

/** The partition of a node. */
export const partitionFor = ({ partitions }: FollowedLog, { sourceId }: { readonly sourceId: string }): number =>
  partitionOf(sourceId, partitions);

/** Readers of the log are some ms behind the store, or far behind. */
const LOOK_EVERY_MS = 50;

/**
 * Returns whether states follow the log up to its end. Records of the store that were read before count as known only then: a step that the
 * readers of the log have not come to is theirs to report.
 * @param waitMs how long to wait until they do
 * @returns whether they do, for one of these nodes
 */
export async function followedSoFar(
  log: FollowedLog,
  nodes: readonly { readonly sourceId: string }[],
  { waitMs = 0, signal }: { readonly waitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<(node: { readonly sourceId: string }) => boolean> {
  const behind = new Set(nodes.map((node) => partitionFor(log, node)));
  const end = behind.size > 0 ? await log.end() : 0;
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    for (const partition of behind) if (await log.isFollowed(partition, end)) behind.delete(partition);
    if (behind.size === 0 || waitedMs >= waitMs) break;
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
  return (node) => !behind.has(partitionFor(log, node));
}
