import { checkWorkspace, type Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { viewedByReference } from '../store/pg-node-views.ts';
import type { ViewDeps } from './deps.ts';

/** @throws DomainError not_found, permission_denied */
export async function getNode(deps: ViewDeps, scope: Scope, nodeRef: string): Promise<ViewedNode> {
  const found = await viewedByReference(deps.database, scope, nodeRef);
  if (!found) throw notFound();
  checkWorkspace(scope, found.node.workspaceId);
  if (found.isClosed) throw notFound();
  return found.node;
}
