import type { UserRights } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import { MAX_WORKSPACES_PER_ENTRY, unionOf } from '../domain/access.ts';
import { grantsOf } from '../store/rights-query.ts';

/**
 * Returns the rights of a workspace user in an account at this moment (docs/reference/people-and-security.md#effective-permissions),
 * one query; workspaces grouped by their permissions.
 */
export async function rightsOf(on: Queryable, ownerId: string, userId: string, nowMs: number): Promise<UserRights> {
  const found = await grantsOf(on, { ownerId, userId, nowMs, limit: MAX_WORKSPACES_PER_ENTRY });
  const grants = new Map<string, { permissions: string[]; workspaceIds: string[] }>();
  let closedAsOfMs: number | undefined;
  let untilMs: number | undefined;
  for (const right of found) {
    const permissions = unionOf(right.permissions);
    const key = permissions.join();
    const grant = grants.get(key) ?? { permissions, workspaceIds: [] };
    grants.set(key, grant);
    grant.workspaceIds.push(right.workspaceId);
    // No Access never applies to users with CONFIGURE.
    if (right.isClosing && !permissions.includes('CONFIGURE')) closedAsOfMs = nowMs;
    if (right.untilMs !== null) untilMs = Math.min(right.untilMs, untilMs ?? right.untilMs);
  }
  return { grants: [...grants.values()], closedAsOfMs, untilMs };
}
