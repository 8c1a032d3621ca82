import { type ApiCaller, scopeOf } from '@catchment/access';
import { invalid } from '@catchment/errors';
import { NODE_SEARCH, readArguments, SEARCH_MAX } from '@catchment/query';
import type { JsonObject } from '../../domain/body/rule.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import { findNode, type NodeDeps } from '../../nodes/index.ts';
import { wordsOf } from '../domain/folded-text.ts';
import { nodeLine } from '../domain/node-line.ts';
import { placeIn, placeText } from '../domain/page-place.ts';
import { findByWords } from '../store/node-search-query.ts';

/**
 * `GET /nodes/search` (docs/reference/node-tree.md#search) finds nodes that the caller sees and that have every word, best first.
 * @throws DomainError invalid_argument naming the argument; not_found, permission_denied for the Workspace
 */
export async function searchNodes(
  deps: Pick<NodeDeps, 'database' | 'names'>,
  caller: ApiCaller,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly nodes: readonly JsonObject[]; readonly next: string | null }> {
  const { q, class: part, workspaceId, limit, after } = readArguments(NODE_SEARCH, given);
  const { database, names } = deps;
  const scope = scopeOf(caller);
  const words = wordsOf(q);
  if (words.length === 0 || words.length > SEARCH_MAX.words)
    throw invalid('INVALID_ARGUMENT', `q: must have 1 to ${SEARCH_MAX.words} words`);
  const classes = part === '' ? undefined : classesWith(part, names.full);
  const [rank, name, nodeId] = placeIn(after, ['number', 'string', 'string']) ?? [];
  const workspace = workspaceId === '' ? undefined : await findNode(database, scope, workspaceId);
  if (workspace && workspace.class !== 'Workspace')
    throw invalid('INVALID_ARGUMENT', 'workspaceId: must be of a Workspace');
  const found = await findByWords(database, scope, {
    words,
    classes,
    workspaceId: workspace?.nodeId,
    limit: limit + 1,
    after: rank === undefined || name === undefined || nodeId === undefined ? undefined : { rank, name, nodeId },
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    nodes: page.map(({ node, path }) => ({ ...nodeLine(node, caller, names), path })),
    next: found.length > limit && last ? placeText([last.rank, last.name, last.nodeId]) : null,
  };
}

/** @throws DomainError invalid_argument where there is none */
function classesWith(part: string, full: (name: string) => string): readonly string[] {
  const wanted = part.toLowerCase();
  const found = ALL_CLASSES.map(({ name }) => name).filter((name) => full(name).toLowerCase().includes(wanted));
  if (found.length === 0) throw invalid('INVALID_ARGUMENT', 'class: must be a part of the name of a class of nodes');
  return found;
}
