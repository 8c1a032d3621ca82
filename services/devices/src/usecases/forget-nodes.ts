import type { Database } from '@catchment/pg';
import { notifyDevice } from '../store/pg-connections.ts';
import { deleteFilesOf } from '../store/pg-files.ts';
import { deleteSources } from '../store/pg-sources.ts';
import { touch } from './follow-source.ts';

/**
 * Nodes are gone: devices lose these sources, and the Workspaces among them (docs/reference/devices.md#device-attributes,
 * docs/reference/node-tree.md#delete).
 */
export async function forgetNodes(
  database: Database,
  ownerId: string,
  nodes: readonly { nodeId: string; class: string }[],
): Promise<void> {
  const nodeIds = nodes.map((node) => node.nodeId);
  const workspaceIds = nodes.filter((node) => node.class === 'Workspace').map((node) => node.nodeId);
  await database.transaction(async (tx) => {
    await deleteFilesOf(tx, nodeIds);
    for (const deviceKey of await deleteSources(tx, ownerId, nodeIds)) await touch(tx, deviceKey, ownerId);
    if (workspaceIds.length === 0) return;
    const { rows } = await tx.query<{ device_id: string }>(
      `UPDATE devices SET workspace_id = NULL WHERE owner_id = $1 AND workspace_id = ANY($2::text[]) RETURNING device_id`,
      [ownerId, workspaceIds],
    );
    for (const row of rows) await notifyDevice(tx, row.device_id);
  });
}
