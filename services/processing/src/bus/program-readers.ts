import { type Bus, decoded } from '@catchment/bus';
import { AppliedGroup } from '@catchment/contracts/ingest';
import { AccountChanged } from '@catchment/contracts/nodes-messages';
import { SeriesRecomputed } from '@catchment/contracts/ratings';
import { followNodes } from '@catchment/node-replica';
import type { Applied, FollowedPrograms, Work } from '../usecases/ports.ts';

type ReaderDeps = {
  readonly programs: FollowedPrograms;
  /** There may be something to do. */
  readonly wake: (what: Work) => void;
};

/** Follows what reaches the store, what becomes of nodes and accounts, and series that are other ones altogether. */
export function readForPrograms(
  bus: Pick<Bus, 'readPartitions' | 'readDomain'>,
  { programs, wake }: ReaderDeps,
): { stop(): Promise<void> } {
  const readers = [
    bus.readPartitions('processing', async (_partition, messages) => {
      if (await programs.mark(appliedOf(messages))) wake('due');
    }),
    followNodes(bus, 'processing-nodes', {
      changed: async (changes) => {
        await programs.follow(changes);
        wake('check');
      },
      deleted: async (deletions) => {
        for (const { ownerId, nodes } of deletions)
          await programs.forget(
            ownerId,
            nodes.map(({ nodeId }) => nodeId),
          );
        wake('check');
      },
    }),
    bus.readDomain('processing-accounts', async (messages) => {
      for (const message of messages) {
        const { ownerId, status } = decoded(AccountChanged, message);
        await programs.setAccount(ownerId, status !== 'ACTIVE');
      }
    }),
    bus.readDomain('processing-recomputed', async (messages) => {
      for (const message of messages) {
        const { nodeId, newsFromMs } = decoded(SeriesRecomputed, message);
        if (await programs.recomputeFrom(nodeId, newsFromMs)) wake('recompute');
      }
    }),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

/** Series that have other records than before. A series that is emptied to be computed anew was not deleted by anybody. */
function appliedOf(messages: readonly { readonly subject: string; readonly data: Uint8Array }[]): Applied {
  const batches = messages.flatMap((message) => decoded(AppliedGroup, message).batches);
  const deleted = batches.flatMap(({ seriesDeletes }) => seriesDeletes.filter(({ recomputing }) => !recomputing));
  const changed = batches.flatMap(({ series }) => series.map(({ nodeId }) => nodeId));
  return {
    changed: new Set([...changed, ...deleted.map(({ nodeId }) => nodeId)]),
    deleted: deleted.map(({ nodeId, timeMs }) => ({ nodeId, timeMs })),
  };
}
