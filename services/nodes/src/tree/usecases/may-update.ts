import { type Caller, checkPermission } from '@catchment/access';

const OF_ALARMS: ReadonlySet<string> = new Set(['states', 'statesType', 'alarms']);

/**
 * Returns whether the caller's user may change these attributes of a node
 * (docs/reference/people-and-security.md#permission-by-operation); a user who may change none of them is refused
 * also for values that would change nothing.
 * @param changed public names
 * @throws DomainError permission_denied
 */
export function checkMayUpdate(caller: Caller, workspaceId: string, changed: readonly string[]): void {
  checkPermission(caller, workspaceId, 'CONFIGURE', 'EDIT_ALARMS', 'CONTROL');
  for (const name of changed)
    checkPermission(
      caller,
      workspaceId,
      OF_ALARMS.has(name) ? 'EDIT_ALARMS' : name === 'controlValue' ? 'CONTROL' : 'CONFIGURE',
    );
}
