import type { Queryable } from '@catchment/pg';
import type { Config } from '../domain/node.ts';
import { transportOf } from '../domain/node.ts';
import { invalidAttribute } from '../domain/rule.ts';
import { deviceWorkspaces } from '../store/pg-nodes.ts';

/** All sources sharing a device lie in one workspace (semantics 18.1). @throws DomainError invalid_argument */
export async function checkDevice(tx: Queryable, nodeId: string, workspaceId: string, config: Config): Promise<void> {
  const transport = transportOf(config);
  if (transport.class !== 'Scout') return;
  // Two accounts that name the same device at once must see each other.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('device'), hashtext($1))`, [transport.deviceId], 'lock-device');
  const others = await deviceWorkspaces(tx, transport.deviceId, nodeId);
  if (others.some((other) => other !== workspaceId))
    throw invalidAttribute('transport.deviceId', 'is used by a source of another workspace');
}
