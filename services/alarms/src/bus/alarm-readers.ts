import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { SettledGroup } from '@catchment/contracts/ingest';
import { NodeConfig } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { RatingSettled } from '@catchment/contracts/ratings';
import { toNode } from '../domain/node.ts';
import type { CachedNodes } from '../store/cached-nodes.ts';
import { applyLogMessage } from '../usecases/apply-log.ts';
import type { RaisedSources } from '../usecases/evaluate-acquisitions.ts';
import { applyNodeChanges, forgetNodes, type NodeChange } from '../usecases/follow-nodes.ts';
import type { AlarmStore, StoredHistory } from '../usecases/ports.ts';
import { settleRatings } from '../usecases/settle-ratings.ts';
import { type ToldMessage, takeVerdicts } from '../usecases/take-verdicts.ts';

type Deps = {
  readonly store: AlarmStore;
  readonly known: CachedNodes;
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
    bus.readDomain('alarms-nodes', async (messages, signal) => {
      // In runs of one kind, so that a node that is created and deleted in one batch is deleted afterwards.
      for (const run of runs(messages)) {
        if (run[0]?.subject === 'nodes.node.deleted.v1') await forgetNodes(deps, run.flatMap(deletedNodes));
        else await applyNodeChanges(deps, run.flatMap(nodeChange), signal);
      }
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

/** Every replica hears of changes at once, whichever of them stores the message. */
function watchNodes(bus: Bus, known: CachedNodes): void {
  const onGap = () => known.clear();
  bus.watch(
    'nodes.node.changed.v1',
    (data) => {
      const { node } = NodeChanged.decode(data);
      if (node) known.see(toNode(node));
    },
    onGap,
  );
  bus.watch(
    'nodes.node.deleted.v1',
    (data) => {
      for (const node of NodesDeleted.decode(data).nodes) known.forget(node.nodeId);
    },
    onGap,
  );
}

const toldMessages = (message: Pick<BusMessage, 'subject' | 'data'>): ToldMessage[] =>
  decoded(SettledGroup, message).batches.map(({ logSequence, columnsSettled }) => ({
    sequence: logSequence,
    columns: columnsSettled,
  }));

function nodeChange(message: BusMessage): NodeChange[] {
  const { node, created, timeMs, username } = decoded(NodeChanged, message);
  if (!node) return [];
  const data = NodeConfig.encode(node).finish();
  return [{ node: toNode(node), data, created, timeMs, username: username || 'System' }];
}

function deletedNodes(message: BusMessage): { nodeId: string; sourceId: string; ownerId: string }[] {
  const { nodes, ownerId } = decoded(NodesDeleted, message);
  return nodes.map(({ nodeId, sourceId }) => ({ nodeId, sourceId, ownerId }));
}

function runs(messages: readonly BusMessage[]): BusMessage[][] {
  const all: BusMessage[][] = [];
  for (const message of messages) {
    const run = all.at(-1);
    if (run && run[0]?.subject === message.subject) run.push(message);
    else all.push([message]);
  }
  return all;
}
