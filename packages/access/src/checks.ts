import { DomainError } from '@catchment/errors';
import type { Caller } from './caller.ts';
import type { Permission } from './permission.ts';

/**
 * Whether the caller's user is allowed an operation in a workspace
 * (docs/reference/people-and-security.md#permission-by-operation); the key has its own rules beside.
 */
export function may(caller: Caller, workspaceId: string, permission: Permission): boolean {
  if (caller.kind !== 'api' || !caller.rights) return true;
  return caller.rights.grants.some(
    (grant) => grant.permissions.includes(permission) && grant.workspaceIds.includes(workspaceId),
  );
}

/** @throws DomainError permission_denied unless the caller's user has one of the permissions in the workspace */
export function checkPermission(caller: Caller, workspaceId: string, ...anyOf: readonly Permission[]): void {
  if (!anyOf.some((permission) => may(caller, workspaceId, permission)))
    throw new DomainError('permission_denied', 'PERMISSION_NEEDED', 'Not permitted');
}

/** @throws DomainError permission_denied for a READ_ONLY key */
export function checkModify(caller: Caller): void {
  if (caller.kind === 'api' && caller.permission !== 'MODIFY') {
    throw new DomainError('permission_denied', 'MODIFY_NEEDED', 'Not permitted');
  }
}
