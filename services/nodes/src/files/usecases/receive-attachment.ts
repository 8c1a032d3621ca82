import type { Queryable } from '@catchment/pg';
import type { Cause } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, type StoredNode } from '../../domain/classes/node.ts';
import { childrenOf, type NewNode, removeBranches } from '../../nodes/index.ts';

/**
 * Applies the rules of an attachment source to a new attachment, already stored: files of other types are refused, and the oldest ones go
 * when there are too many (docs/reference/node-tree.md#attributes-of-classes).
 * @throws DomainError invalid_argument
 */
export async function receiveAttachment(tx: Queryable, source: StoredNode, made: NewNode, cause: Cause): Promise<void> {
  const cls = nodeClass(source.class);
  const types = attributeOf(cls, source.config, 'fileTypes') as readonly string[];
  const extension = made.config.file?.name.toLowerCase().split('.').slice(1).at(-1);
  if (types.length > 0 && !types.some((type) => type.toLowerCase() === extension))
    throw invalidAttribute('file', `must be of a type that the source takes: ${types.join(', ')}`);
  const max = attributeOf(cls, source.config, 'maxAttachments') as number;
  const own = (await childrenOf(tx, source.ownerId, source.nodeId)).filter(({ instanceId }) => instanceId === null);
  const newestFirst = own.sort((a, b) => b.createdMs - a.createdMs || (a.nodeId < b.nodeId ? 1 : -1));
  await removeBranches(tx, source.ownerId, newestFirst.slice(max), cause);
}
