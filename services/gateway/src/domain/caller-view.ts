import type { ApiCaller } from '@catchment/access';

const known = new WeakMap<ApiCaller, string>();

/**
 * Returns the properties of a caller that decide what it sees. Closed nodes change the revision of a list; the user does not. Made once for
 * a caller object that is reused.
 */
export function callerView(caller: ApiCaller): string {
  const { ownerId, accessLevel, permission, workspaceIds, rights, userId } = caller;
  const view =
    known.get(caller) ??
    JSON.stringify([ownerId, accessLevel, permission, workspaceIds, rights && [userId, rights.grants]]);
  known.set(caller, view);
  return view;
}
