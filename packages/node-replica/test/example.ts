import type { Bus } from '@catchment/bus';
import {
  followNodes,
  markDeleted,
  NodeReplica,
  type NodeReplicaOptions,
  saveNodes,
  watchNodes,
} from '@catchment/node-replica';
import type { Database } from '@catchment/pg';

type Peers = Pick<NodeReplicaOptions<string>, 'nodes' | 'signer'> & {
  readonly bus: Pick<Bus, 'readDomain' | 'watch'>;
  readonly database: Database;
};

/** Follows nodes, and remembers the time zone of each source. */
export function followTimezones({ bus, database, nodes, signer }: Peers) {
  const timezones = new NodeReplica({
    database,
    nodes,
    signer,
    service: 'devices',
    max: 100_000,
    view: ({ source }) => source?.timezone ?? '',
  });
  watchNodes(bus, timezones);
  const follower = followNodes(bus, 'devices-nodes', {
    async changed(changes) {
      await saveNodes(
        database,
        changes.map(({ node }) => node),
      );
    },
    async deleted(deletions) {
      for (const { ownerId, nodes } of deletions) await markDeleted(database, ownerId, nodes);
    },
  });
  return {
    /** Empty for a node that is no source, or does not exist. */
    async timezoneOf(source: { nodeId: string; ownerId: string }, signal: AbortSignal): Promise<string> {
      if (timezones.peek(source.nodeId) === undefined) await timezones.find([source], signal);
      const known = timezones.peek(source.nodeId);
      return known === undefined || known === 'absent' ? '' : known;
    },
    stop: () => follower.stop(),
  };
}
