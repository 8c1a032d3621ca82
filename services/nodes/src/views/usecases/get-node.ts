import { checkWorkspace, type Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { viewedByReference } from '../store/node-views-query.ts';
import type { ViewDeps } from './deps.ts';
import type { SharedViews } from './shared-views.ts';

/** Reads by one statement, shared with concurrent calls where no branch can be closed. @throws DomainError not_found, permission_denied */
export async function getNode(
  deps: Pick<ViewDeps, 'database'> & { readonly shared: SharedViews },
  scope: Scope,
  nodeRef: string,
): Promise<ViewedNode> {
  const ref = parseNodeRef(nodeRef);
  const isShared = ref?.kind === 'id' && !scope.closedTo;
  const found = isShared
    ? { node: await deps.shared.find(scope.ownerId, ref.id), isClosed: false }
    : await viewedByReference(deps.database, scope, nodeRef);
  if (!found?.node) throw notFound();
  checkWorkspace(scope, found.node.workspaceId);
  if (found.isClosed) throw notFound();
  return found.node;
}
