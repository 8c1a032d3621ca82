import type { Scope } from '@catchment/grpc';
import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../body/domain/rule.ts';
import { MAX_PARAMETERS_PER_SOURCE } from '../../classes/domain/containment.ts';
import type { StoredNode } from '../../classes/domain/node.ts';
import { type NodeKind, nodeClass } from '../../classes/domain/node-class.ts';
import { childrenOf, findNode, lineOf } from '../store/pg-nodes.ts';

/** The `parentId` of a body. @throws DomainError invalid_argument when it is malformed or missing */
export function readParentId(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalidAttribute('parentId', 'is required');
  if (typeof value !== 'string' || !parseNodeRef(value))
    throw invalidAttribute('parentId', 'must be a node id of 24 hexadecimal characters or @customId');
  return value;
}

/** A node under which others are to be put, with the line from its workspace down to it. */
export type Parent = {
  readonly node: StoredNode;
  readonly line: readonly { readonly nodeId: string; readonly kind: NodeKind }[];
};

/** @throws DomainError not_found, permission_denied */
export async function findParent(tx: Queryable, scope: Scope, parentId: string): Promise<Parent> {
  const node = await findNode(tx, scope, parentId);
  const line = await lineOf(tx, node.nodeId);
  return { node, line: line.map((one) => ({ nodeId: one.nodeId, kind: nodeClass(one.class).kind })) };
}

/** @throws DomainError invalid_argument when the source is full (docs/reference/limits.md) */
export async function checkRoomForParameter(tx: Queryable, source: StoredNode): Promise<void> {
  const siblings = await childrenOf(tx, source.ownerId, source.nodeId);
  if (siblings.length >= MAX_PARAMETERS_PER_SOURCE)
    throw invalidAttribute('parentId', `a data source may have at most ${MAX_PARAMETERS_PER_SOURCE} parameters`);
}
