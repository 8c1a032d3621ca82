import type { NodeConfig } from '@catchment/contracts/nodes';
import type { TransportName } from '@catchment/contracts/transports';
import type { NodeFollower } from '@catchment/node-replica';
import type { Acquisitions } from '../../acquisition/index.ts';
import { DEVICE_CLASS_OF, type FollowedSource } from '../../registry/index.ts';
import { type FollowDeps, followSource } from '../usecases/follow-source.ts';
import { forgetNodes } from '../usecases/forget-nodes.ts';

/** Follows sources and their deletion; a message may come twice. */
export const sourceFollower = (deps: FollowDeps & FollowAlso): NodeFollower => ({
  // One by one: a key that a source named for a moment makes a device too.
  async changed(changes) {
    for (const { node } of changes) await followNode(deps, node);
  },
  async deleted(deletions) {
    for (const { ownerId, nodes } of deletions) {
      await forgetNodes(deps.store, ownerId, nodes);
      for (const { nodeId } of nodes) deps.acquisitions.forget(nodeId);
    }
  },
});

export type FollowAlso = { readonly acquisitions: Pick<Acquisitions, 'follow' | 'forget'> };

/** Follows one node as the nodes service knows it; everything but sources is passed over. */
export async function followNode(deps: FollowDeps & FollowAlso, node: NodeConfig): Promise<void> {
  if (!node.source) return;
  const { transportClass } = node.source;
  const deviceClass = DEVICE_CLASS_OF[transportClass as TransportName];
  const source: FollowedSource = {
    sourceId: node.nodeId,
    ownerId: node.ownerId,
    workspaceId: node.workspaceId,
    sourceClass: node.class,
    name: node.name,
    customId: node.customId,
    isEnabled: node.source.isEnabled,
    scheduleType: node.source.scheduleType,
    writeMode: node.source.writeMode,
    deviceKey: (deviceClass && node.source.deviceKey) || null,
    revision: node.revision,
  };
  await followSource(deps, source, deviceClass ?? 'Device');
  await deps.acquisitions.follow(node);
}
