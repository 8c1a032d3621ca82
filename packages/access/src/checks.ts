import { DomainError } from '@catchment/errors';
import type { Caller } from './caller.ts';
import { PERMISSIONS, type Permission } from './permission.ts';

/**
 * Returns whether the caller's user is allowed an operation in a workspace
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

/** A key that only reads may do this at most. */
const READING: ReadonlySet<Permission> = new Set(['VIEW', 'ATTACHMENT_READ', 'EXPORT_DATA']);

const mayModify = (caller: Caller): boolean => caller.kind !== 'api' || caller.permission === 'MODIFY';

/** Returns what the caller may do in a workspace, by the user's rights and the key's; in the order of PERMISSIONS. */
export const permissionsIn = (caller: Caller, workspaceId: string): readonly Permission[] =>
  PERMISSIONS.filter(
    (permission) => may(caller, workspaceId, permission) && (mayModify(caller) || READING.has(permission)),
  );

/** @throws DomainError permission_denied for a READ_ONLY key */
export function checkModify(caller: Caller): void {
  if (!mayModify(caller)) {
    throw new DomainError('permission_denied', 'MODIFY_NEEDED', 'Not permitted');
  }
}
