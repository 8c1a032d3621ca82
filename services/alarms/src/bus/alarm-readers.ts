import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { SettledGroup } from '@catchment/contracts/ingest';
import { RatingSettled } from '@catchment/contracts/ratings';
import { followNodes, type NodeWatcher, watchNodes } from '@catchment/node-replica';
import { applyLogMessage } from '../usecases/apply-log.ts';
import type { RaisedSources } from '../usecases/evaluate-acquisitions.ts';
import { applyNodeChanges } from '../usecases/follow-nodes.ts';
import type { AlarmStore, KnownNodes, StoredHistory } from '../usecases/ports.ts';
import { settleRatings } from '../usecases/settle-ratings.ts';
import { type ToldMessage, takeVerdicts } from '../usecases/take-verdicts.ts';

type Deps = {
  readonly store: AlarmStore;
  readonly known: KnownNodes & NodeWatcher;
  readonly history: StoredHistory;
  readonly raised: RaisedSources;
  readonly toldSequences: Map<number, number>;
};

/** Follows the ingest log, what historic says of it, and what becomes of nodes. */
export function readAlarms(bus: Bus, deps: Deps): { stop(): Promise<void> } {
  watchNodes(bus, deps.known);
  const readers = [
    bus.readPartitions('alarms', async (partition, messages, signal) => {
      for (const { sequence, data } of messages) await applyLogMessage(deps, { partition, sequence, data }, signal);
    }),
    bus.readPartitions('alarms-applied', (partition, messages, signal) =>
      takeVerdicts(deps, partition, messages.flatMap(toldMessages), signal),
    ),
    followNodes(bus, 'alarms-nodes', {
      changed: (changes, signal) => applyNodeChanges(deps, changes, signal),
      deleted: async (deletions) => {
        for (const { ownerId, nodes } of deletions)
          await deps.store.transaction((tx) => tx.forgetNodes(ownerId, nodes));
      },
    }),
    bus.readDomain('alarms-ratings', async (messages, signal) => {
      await settleRatings(
        deps,
        messages.map((message) => decoded(RatingSettled, message)),
        signal,
      );
    }),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

const toldMessages = (message: Pick<BusMessage, 'subject' | 'data'>): ToldMessage[] =>
  decoded(SettledGroup, message).batches.map(({ logSequence, columnsSettled }) => ({
    sequence: logSequence,
    columns: columnsSettled,
  }));
