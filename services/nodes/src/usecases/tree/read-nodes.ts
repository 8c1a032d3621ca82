import { notFound } from '@catchment/errors';
import type { Scope } from '@catchment/grpc';
import { viewedNode } from '../../store/pg-node-views.ts';
import { findNode } from '../../store/pg-nodes.ts';
import type { ViewedNode } from '../../view/node-view.ts';
import type { Deps } from '../deps.ts';

/** @throws DomainError not_found, permission_denied */
export async function getNode(deps: Deps, scope: Scope, nodeRef: string): Promise<ViewedNode> {
  const { nodeId } = await findNode(deps.database, scope, nodeRef);
  const node = await viewedNode(deps.database, nodeId);
  // Deleted between the two.
  if (!node) throw notFound();
  return node;
}
