import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { MAX_PARAMETERS_PER_SOURCE } from '../../domain/classes/containment.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { childrenOf } from '../../nodes/index.ts';

/** The `parentId` of a body. @throws DomainError invalid_argument when it is malformed or missing */
export function readParentId(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalidAttribute('parentId', 'is required');
  if (typeof value !== 'string' || !parseNodeRef(value))
    throw invalidAttribute('parentId', 'must be a node id of 24 hexadecimal characters or @customId');
  return value;
}

/** @throws DomainError invalid_argument when the source is full (docs/reference/limits.md) */
export async function checkRoomForParameter(tx: Queryable, source: StoredNode): Promise<void> {
  const siblings = await childrenOf(tx, source.ownerId, source.nodeId);
  if (siblings.length >= MAX_PARAMETERS_PER_SOURCE)
    throw invalidAttribute('parentId', `a data source may have at most ${MAX_PARAMETERS_PER_SOURCE} parameters`);
}
