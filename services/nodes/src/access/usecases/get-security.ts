import { type ApiCaller, checkPermission, scopeOf } from '@catchment/access';
import type { JsonObject } from '../../domain/body/rule.ts';
import { findNode } from '../../nodes/index.ts';
import type { PeopleDeps } from '../../people/index.ts';
import { groupsAt, peopleOf } from '../../rights/index.ts';
import { securityGroupView, securityUserView } from '../domain/security-view.ts';

/**
 * `GET /nodes/:id/security` (docs/reference/people-and-security.md#effective-permissions).
 * @throws DomainError not_found, permission_denied
 */
export async function getSecurity(deps: PeopleDeps, caller: ApiCaller, nodeRef: string): Promise<JsonObject> {
  const { nodeId, workspaceId } = await findNode(deps.database, scopeOf(caller), nodeRef);
  checkPermission(caller, workspaceId, 'VIEW');
  const place = { ownerId: caller.ownerId, workspaceId, nodeIds: [nodeId], nowMs: deps.now() };
  const people = await peopleOf(deps.database, place);
  const groups = await groupsAt(deps.database, place);
  return {
    users: people.filter(({ standing }) => standing !== 'MANAGER').map(securityUserView),
    groups: groups.flatMap((group) => (group.entry ? securityGroupView(group, group.entry, group.isClosed) : [])),
  };
}
