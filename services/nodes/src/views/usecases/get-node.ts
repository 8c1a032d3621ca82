import { checkWorkspace, type Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { checkNotClosed } from '../../rights/index.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { viewedByReference } from '../store/pg-node-views.ts';
import type { ViewDeps } from './deps.ts';

/** @throws DomainError not_found, permission_denied */
export async function getNode(deps: ViewDeps, scope: Scope, nodeRef: string): Promise<ViewedNode> {
  const node = await viewedByReference(deps.database, scope.ownerId, nodeRef);
  if (!node) throw notFound();
  checkWorkspace(scope, node.workspaceId);
  await checkNotClosed(deps.database, scope, node.nodeId);
  return node;
}
