import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import type { NodeKind } from '../../domain/classes/node-class.ts';
import { findNode, lineOf } from '../store/nodes-query.ts';

/** Others are to be put under this node; a line leads from its workspace down to it. */
export type Parent = {
  readonly node: StoredNode;
  readonly line: readonly { readonly nodeId: string; readonly kind: NodeKind }[];
};

/** @throws DomainError not_found, permission_denied */
export async function findParent(tx: Queryable, scope: Scope, parentId: string): Promise<Parent> {
  const node = await findNode(tx, scope, parentId);
  const line = await lineOf(tx, node.nodeId);
  return { node, line: line.map((above) => ({ nodeId: above.nodeId, kind: nodeClass(above.class).kind })) };
}
