import type { Store } from './ports.ts';

/**
 * Nodes are gone: devices lose these sources, and the Workspaces among them (docs/reference/devices.md#device-attributes,
 * docs/reference/node-tree.md#delete).
 */
export async function forgetNodes(
  store: Store,
  ownerId: string,
  nodes: readonly { nodeId: string; class: string }[],
): Promise<void> {
  const nodeIds = nodes.map((node) => node.nodeId);
  const workspaceIds = nodes.filter((node) => node.class === 'Workspace').map((node) => node.nodeId);
  await store.transaction(async (tx) => {
    await tx.deleteFilesOf(nodeIds);
    await tx.deleteAcquisitions(ownerId, nodeIds);
    await tx.forgetDownloads(nodeIds);
    for (const deviceKey of await tx.deleteSources(ownerId, nodeIds)) await tx.notifyDeviceOfKey(ownerId, deviceKey);
    if (workspaceIds.length === 0) return;
    for (const deviceId of await tx.leaveWorkspaces(ownerId, workspaceIds)) await tx.notifyDevice(deviceId);
  });
}
