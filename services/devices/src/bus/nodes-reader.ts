import { type BatchHandler, decoded } from '@catchment/bus';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import type { DeviceClass } from '../domain/device.ts';
import type { FollowedSource } from '../store/pg-sources.ts';
import { type FollowDeps, followSource } from '../usecases/follow-source.ts';
import { forgetNodes } from '../usecases/forget-nodes.ts';

/** Transports that name a device, and what the device is. */
const CLASS_OF_TRANSPORT: Readonly<Record<string, DeviceClass>> = {
  Scout: 'ScoutDevice',
  TcpCallback: 'Device',
  Meshlium: 'Device',
};

/** Follows sources and their deletion (`readDomain('devices-nodes')`); a message may come twice. */
export function followNodes(deps: FollowDeps): BatchHandler {
  return async (messages) => {
    for (const message of messages) {
      if (message.subject === 'nodes.node.changed.v1') {
        const { node } = decoded(NodeChanged, message);
        if (node) await followNode(deps, node);
      } else if (message.subject === 'nodes.node.deleted.v1') {
        const { ownerId, nodes } = decoded(NodesDeleted, message);
        await forgetNodes(deps.database, ownerId, nodes);
      }
    }
  };
}

/** One node as the nodes service knows it; everything but sources is passed over. */
export async function followNode(deps: FollowDeps, node: NodeConfig): Promise<void> {
  if (!node.source) return;
  const deviceClass = CLASS_OF_TRANSPORT[node.source.transportClass];
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
}
