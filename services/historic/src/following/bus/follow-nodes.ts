import type { Bus } from '@catchment/bus';
import type { NodesDeleted } from '@catchment/contracts/nodes-messages';
import { partitionOf } from '@catchment/ids';
import { followNodes, markDeleted, type NodeWatcher, saveNodes, watchNodes } from '@catchment/node-replica';
import type { Queryable } from '@catchment/pg';
import type { Append } from '../../log/index.ts';
import { classHasRecords } from '../../series/index.ts';

const APPEND_LIMIT_MS = 10_000;

export type Follow = {
  readonly bus: Bus;
  readonly catalogue: NodeWatcher;
  readonly database: Queryable;
  readonly append: Append;
  readonly now: () => number;
};

/** Keeps the copy of the nodes' configuration current. */
export function followConfiguration(deps: Follow): { stop(): Promise<void> } {
  const { bus, catalogue, database } = deps;
  watchNodes(bus, catalogue);
  return followNodes(bus, 'historic-nodes', {
    async changed(changes) {
      await saveNodes(
        database,
        changes.map(({ node }) => node),
      );
    },
    async deleted(deletions) {
      for (const deletion of deletions) await forget(deps, deletion);
    },
  });
}

/** A deletion goes through the same partitions as the writes, so that nothing in flight revives deleted records. */
async function forget(
  { bus, catalogue, database, append, now }: Follow,
  { ownerId, nodes, timeMs }: NodesDeleted,
): Promise<void> {
  await markDeleted(database, ownerId, nodes);
  for (const node of nodes) catalogue.forget(node);
  const withRecords = nodes.filter((node) => classHasRecords(node.class));
  const byPartition = Map.groupBy(withRecords, ({ sourceId }) => partitionOf(sourceId, bus.partitions));
  await Promise.all(
    [...byPartition].map(([partition, some]) => {
      const nodesDelete = { ownerId, nodeIds: some.map(({ nodeId }) => nodeId), timeMs };
      return append(partition, [{ kind: 'nodesDelete', nodesDelete }], now() + APPEND_LIMIT_MS);
    }),
  );
}
