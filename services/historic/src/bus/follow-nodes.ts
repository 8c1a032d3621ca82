import { type Bus, decoded } from '@catchment/bus';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { partitionOf } from '@catchment/ids';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { classHasRecords } from '../domain/series-node.ts';
import type { CatalogueStore } from '../store/pg-catalogue.ts';
import type { PgRatings } from '../store/pg-ratings.ts';
import type { Append } from '../usecases/write-deps.ts';

const CHANGED = 'nodes.node.changed.v1';
const DELETED = 'nodes.node.deleted.v1';
const APPEND_LIMIT_MS = 10_000;

type Follow = {
  readonly bus: Bus;
  readonly catalogue: Catalogue;
  readonly store: CatalogueStore;
  readonly ratings: Pick<PgRatings, 'follow' | 'forget'>;
  readonly append: Append;
  readonly now: () => number;
};

/** Keeps the catalogue's table current, once over all replicas, and what each replica remembers, at each. */
export function followNodes({ bus, catalogue, store, ratings, append, now }: Follow): { stop(): Promise<void> } {
  bus.watch(
    CHANGED,
    (data) => {
      const { node } = NodeChanged.decode(data);
      if (node) catalogue.learn(node);
    },
    () => catalogue.clear(),
  );
  bus.watch(
    DELETED,
    (data) => {
      for (const { nodeId, sourceId } of NodesDeleted.decode(data).nodes) catalogue.forget(nodeId, sourceId);
    },
    () => catalogue.clear(),
  );
  return bus.readDomain('historic-nodes', async (messages) => {
    // In the order of the log: a change never undoes a later delete, and runs of changes are one statement.
    let changed: NodeChanged[] = [];
    const flush = async () => {
      const nodes = changed.map(({ node }) => node).filter((node) => node !== undefined);
      await store.save(nodes);
      await ratings.follow(changed.flatMap(({ node, timeMs }) => (node ? [{ node, timeMs }] : [])));
      changed = [];
    };
    for (const message of messages) {
      if (message.subject === CHANGED) changed.push(decoded(NodeChanged, message));
      else if (message.subject === DELETED) {
        await flush();
        await forget(decoded(NodesDeleted, message));
      }
    }
    await flush();
  });

  /** A delete goes through the same partitions as the writes, so that nothing in flight revives what was deleted. */
  async function forget({ ownerId, nodes, timeMs }: NodesDeleted): Promise<void> {
    await store.markDeleted(ownerId, nodes);
    await ratings.forget(
      nodes.map(({ nodeId }) => nodeId),
      timeMs,
    );
    for (const { nodeId, sourceId } of nodes) catalogue.forget(nodeId, sourceId);
    const withRecords = nodes.filter((node) => classHasRecords(node.class));
    const byPartition = Map.groupBy(withRecords, ({ sourceId }) => partitionOf(sourceId, bus.partitions));
    await Promise.all(
      [...byPartition].map(([partition, some]) => {
        const nodesDelete = { ownerId, nodeIds: some.map(({ nodeId }) => nodeId), timeMs };
        return append(partition, [{ kind: 'nodesDelete', nodesDelete }], now() + APPEND_LIMIT_MS);
      }),
    );
  }
}
