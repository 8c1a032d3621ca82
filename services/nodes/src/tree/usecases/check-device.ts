import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { type Config, transportOf } from '../../domain/classes/node.ts';
import { deviceWorkspaces } from '../store/tree-query.ts';

type DeviceUser = { readonly nodeId: string; readonly ownerId: string; readonly workspaceId: string };

/**
 * All sources of an account that share a device lie in one workspace (docs/reference/devices.md#device-attributes). What
 * other accounts name is not considered, and no answer reveals it. Callers hold the account's lock.
 * @throws DomainError invalid_argument
 */
export async function checkDevice(tx: Queryable, node: DeviceUser & { readonly config: Config }): Promise<void> {
  const { deviceId } = transportOf(node.config);
  if (deviceId !== undefined) await checkDeviceOf(tx, node, deviceId, 'transport.deviceId');
}

/** @param attribute what of the request is refused */
export async function checkDeviceOf(
  tx: Queryable,
  user: DeviceUser,
  deviceId: string,
  attribute: string,
): Promise<void> {
  const others = await deviceWorkspaces(tx, user, deviceId);
  if (others.some((other) => other !== user.workspaceId))
    throw invalidAttribute(attribute, `the device ${deviceId} is used by a source of another workspace`);
}
