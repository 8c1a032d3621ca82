import type { Queryable } from '@catchment/pg';
import type { Config } from '../../domain/node.ts';
import { transportOf } from '../../domain/node.ts';
import { invalidAttribute } from '../../domain/rule.ts';
import { deviceWorkspaces } from '../../store/pg-nodes.ts';

/** All sources sharing a device lie in one workspace (semantics 18.1). @throws DomainError invalid_argument */
export async function checkDevice(tx: Queryable, nodeId: string, workspaceId: string, config: Config): Promise<void> {
  const { deviceId } = transportOf(config);
  if (deviceId !== undefined) await checkDeviceOf(tx, nodeId, workspaceId, deviceId, 'transport.deviceId');
}

/** @param attribute what of the request is refused */
export async function checkDeviceOf(
  tx: Queryable,
  nodeId: string,
  workspaceId: string,
  deviceId: string,
  attribute: string,
): Promise<void> {
  // Two accounts that name the same device at once must see each other.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('device'), hashtext($1))`, [deviceId], 'lock-device');
  const others = await deviceWorkspaces(tx, deviceId, nodeId);
  if (others.some((other) => other !== workspaceId))
    throw invalidAttribute(attribute, `the device ${deviceId} is used by a source of another workspace`);
}
