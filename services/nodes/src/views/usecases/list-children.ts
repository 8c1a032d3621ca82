import { type ApiCaller, scopeOf } from '@catchment/access';
import { invalid } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import { NODE_CHILDREN, readArguments } from '@catchment/query';
import type { JsonObject } from '../../domain/body/rule.ts';
import { findNode, type NodeDeps } from '../../nodes/index.ts';
import { nodeLine } from '../domain/node-line.ts';
import { placeIn, placeText } from '../domain/page-place.ts';
import { readChildren } from '../store/node-lines-query.ts';

/**
 * `GET /nodes/children` (docs/reference/node-tree.md#children) lists what the caller sees directly under a node, page by page.
 * @throws DomainError invalid_argument naming the argument; not_found, permission_denied for the parent
 */
export async function listChildren(
  { database, names }: Pick<NodeDeps, 'database' | 'names'>,
  caller: ApiCaller,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly nodes: readonly JsonObject[]; readonly next: string | null }> {
  const { parentId, limit, after } = readArguments(NODE_CHILDREN, given);
  const scope = scopeOf(caller);
  const [nameKey] = placeIn(after, ['string']) ?? [];
  if (parentId !== '' && !parseNodeRef(parentId))
    throw invalid('INVALID_ARGUMENT', 'parentId: must be a node id of 24 hexadecimal characters or @customId');
  const parent = parentId === '' ? undefined : await findNode(database, scope, parentId);
  const found = await readChildren(database, scope, { parent, after: nameKey, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    nodes: page.map(({ node, childCount, alarmsBelow }) => ({
      ...nodeLine(node, caller, names),
      childCount,
      alarmsBelow,
    })),
    next: found.length > limit && last ? placeText([last.nameKey]) : null,
  };
}
