import { type Bus, type BusMessage, type DomainReaderName, decoded } from '@catchment/bus';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import type { NodeWatcher } from './node-replica.ts';
import { newestRevisions } from './node-table.ts';

const CHANGED = 'nodes.node.changed.v1';
const DELETED = 'nodes.node.deleted.v1';

/** A node was made or changed. */
export type NodeChange = Pick<NodeChanged, 'created' | 'timeMs' | 'username'> & { readonly node: NodeConfig };

/** Handles changes of nodes. A change may come twice; it is done when the promise resolves. */
export type NodeFollower = {
  /** @param changes in the order of the log, never empty */
  changed(changes: readonly NodeChange[], signal: AbortSignal): Promise<void>;
  deleted(deletions: readonly NodesDeleted[], signal: AbortSignal): Promise<void>;
};

/**
 * Follows nodes, once over all replicas of the service. Changes and deletions come in runs of one kind and in the order of
 * the log, so a change never undoes a later deletion.
 */
export function followNodes(
  bus: Pick<Bus, 'readDomain'>,
  reader: Extract<DomainReaderName, `${string}-nodes`>,
  follower: NodeFollower,
): { stop(): Promise<void> } {
  return bus.readDomain(reader, async (messages, signal) => {
    for (const run of runsOf(messages)) {
      if (run[0]?.subject === DELETED) {
        const deletions = run.map((message) => decoded(NodesDeleted, message));
        await follower.deleted(deletions, signal);
      } else {
        const changes = run.map((message) => decoded(NodeChanged, message)).filter(hasNode);
        if (changes.length > 0) await follower.changed(changes, signal);
      }
    }
  });
}

/** Keeps the memory of a replica current: every replica gets every change at once, whichever of them stores it. */
export function watchNodes(bus: Pick<Bus, 'watch'>, watcher: NodeWatcher): void {
  const onGap = () => watcher.clear();
  const learn = ({ node }: NodeChanged) => node && watcher.learn(node);
  bus.watch(CHANGED, (data) => learn(NodeChanged.decode(data)), onGap);
  bus.watch(DELETED, (data) => NodesDeleted.decode(data).nodes.forEach(watcher.forget, watcher), onGap);
}

/** Returns the newest change of each node; one that was made among them counts as made. */
export function newestChanges(changes: readonly NodeChange[]): NodeChange[] {
  const newest = new Set(newestRevisions(changes.map(({ node }) => node)));
  const made = new Set(changes.filter(({ created }) => created).map(({ node }) => node.nodeId));
  const kept = changes.filter(({ node }) => newest.has(node));
  return kept.map((change) => ({ ...change, created: made.has(change.node.nodeId) }));
}

const hasNode = (change: NodeChanged): change is NodeChanged & NodeChange => change.node !== undefined;

function runsOf(messages: readonly BusMessage[]): BusMessage[][] {
  const runs: BusMessage[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run?.[0]?.subject === message.subject) run.push(message);
    else runs.push([message]);
  }
  return runs;
}
