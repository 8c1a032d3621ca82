import { DomainError, notFound } from '@catchment/errors';
import type { ApiCaller, Caller } from './caller.ts';

/** A call may see this part of the data: each query is narrowed to it. */
export type Scope = {
  readonly ownerId: string;
  /** undefined: all the account's workspaces. */
  readonly workspaceIds: readonly string[] | undefined;
  /** Workspace users: where they have access, whatever the key is limited to. The rest does not exist for them. */
  readonly visibleIds?: readonly string[];
  /** A workspace user has No Access to branches of these workspaces; the nodes service leaves them out. */
  readonly closedTo?: { readonly userId: string; readonly asOfMs: number };
};

/**
 * Returns the scope of a caller; a service names the account in its request.
 * @throws DomainError invalid_argument when a service names none
 */
export function scopeOf(caller: Caller, ownerIdOfServiceCall = ''): Scope {
  if (caller.kind === 'api') return scopeOfApi(caller);
  if (!ownerIdOfServiceCall)
    throw new DomainError('invalid_argument', 'OWNER_NEEDED', 'ownerId: must be given by a service');
  return { ownerId: ownerIdOfServiceCall, workspaceIds: undefined };
}

function scopeOfApi({ ownerId, userId, workspaceIds, rights }: ApiCaller): Scope {
  if (!rights) return { ownerId, workspaceIds };
  const visibleIds = rights.grants.flatMap((grant) => grant.workspaceIds);
  const limit = workspaceIds && new Set(workspaceIds);
  return {
    ownerId,
    workspaceIds: limit ? visibleIds.filter((id) => limit.has(id)) : visibleIds,
    visibleIds,
    ...(rights.closedAsOfMs !== undefined && { closedTo: { userId, asOfMs: rights.closedAsOfMs } }),
  };
}

/**
 * Returns whether a workspace lies within a scope; known but outside is 403 (docs/reference/requests-and-errors.md#order-of-checks,
 * step 11), and what a workspace user may not view does not exist (docs/reference/people-and-security.md#effective-permissions).
 * @throws DomainError permission_denied, not_found
 */
export function checkWorkspace(scope: Scope, workspaceId: string): void {
  if (scope.visibleIds && !scope.visibleIds.includes(workspaceId)) throw notFound();
  if (scope.workspaceIds && !scope.workspaceIds.includes(workspaceId)) {
    throw new DomainError('permission_denied', 'WORKSPACE_NOT_ALLOWED', 'Not permitted');
  }
}
