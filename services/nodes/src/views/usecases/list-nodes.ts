import { type ApiCaller, type Scope, scopeOf } from '@catchment/access';
import { invalid, tooLarge } from '@catchment/errors';
import { inSlice } from '@catchment/fair-queue';
import {
  type AttrSelector,
  argumentReader,
  LIST_MAX,
  NODE_LIST,
  parseAttr,
  parseFilter,
  parseSort,
  selectAttributes,
} from '@catchment/query';
import { nameKey } from '../../domain/body/names.ts';
import type { NodeDeps } from '../../nodes/index.ts';
import type { FileUrl } from '../domain/file-view.ts';
import { nodeText, nodeView } from '../domain/node-view.ts';
import { listText, treeText, type WrittenNode } from '../domain/tree-text.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { ownerRevision } from '../store/list-revision-query.ts';
import { firstNodes, type ListedQuery, listedNodes, type NodeSelection, nodesAmong } from '../store/node-list-query.ts';
import { toViewed, viewedNodes } from '../store/node-views-query.ts';
import type { ListDeps, ViewDeps } from './deps.ts';

type ListQuery = {
  readonly attr: string;
  readonly type: string;
  readonly filter: string;
  readonly sort: string;
  readonly limit: number | undefined;
  readonly skip: number;
  readonly urlOf: FileUrl;
};

/** Presentation of nodes. */
export type Shown = {
  readonly selector: AttrSelector | undefined;
  readonly urlOf: FileUrl;
  /** The caller's `permissions` are shown where the selector names them. */
  readonly caller: ApiCaller;
};

const TREE_LIMIT = 5_000;
/** Two milliseconds of work. */
const SLICE_NODES = 100;

/**
 * Writes the JSON text of a list in pieces of about 64 KiB; the first call of the iterator settles every refusal.
 * @throws DomainError invalid_argument, too_large (a TREE of 5000 nodes or more)
 */
export async function* listNodes(deps: ListDeps, caller: ApiCaller, query: ListQuery): AsyncGenerator<string> {
  const scope = scopeOf(caller);
  const how = { selector: query.attr === '' ? undefined : parseAttr(query.attr), urlOf: query.urlOf, caller };
  const isTree = argumentReader(NODE_LIST, { type: query.type })('type') === 'TREE';
  yield* (isTree ? tree : flat)(deps, scope, query, how);
}

/** Returns the revision by which a list may be cached; empty where its links expire, which differ in every answer. */
export const listRevision = async (deps: ViewDeps, scope: Scope, expiry: number): Promise<string> =>
  expiry > 0 ? '' : ownerRevision(deps.database, scope.ownerId);

async function* flat(deps: ListDeps, scope: Scope, query: ListQuery, how: Shown) {
  yield* listText(writtenNodes(deps, listedNodes(deps.columns, scope, parseQuery(query)), how));
}

/** @throws DomainError invalid_argument */
export function parseQuery({
  filter,
  sort,
  limit = LIST_MAX,
  skip,
}: Omit<ListQuery, 'attr' | 'type' | 'urlOf'>): ListedQuery {
  if (!Number.isInteger(limit) || limit < 0 || limit > LIST_MAX)
    throw invalid('INVALID_ARGUMENT', `limit: must be a whole number from 0 to ${LIST_MAX}`);
  return { filter: parseFilter(filter), sort: parseSort(sort), limit, skip };
}

async function* tree(deps: ListDeps, scope: Scope, query: ListQuery, how: Shown) {
  if (query.filter || query.sort || query.limit !== undefined || query.skip > 0)
    throw invalid('INVALID_ARGUMENT', 'type: filter, sort, limit and skip must not be given with TREE');
  const nodes: WrittenNode[] = [];
  for await (const slice of writtenNodes(deps, firstNodes(scope, TREE_LIMIT), how)) nodes.push(...slice);
  if (nodes.length >= TREE_LIMIT)
    throw tooLarge(`Request or response too large: a TREE must have fewer than ${TREE_LIMIT} nodes`);
  yield* treeText(nodes, null);
}

/**
 * Nodes as they are shown, written out, in slices of some milliseconds: of a large answer nothing else is held.
 */
export async function* writtenNodes(
  deps: NodeDeps,
  selection: NodeSelection,
  how: Shown,
): AsyncGenerator<WrittenNode[]> {
  const nowMs = deps.now();
  for await (const nodes of viewedNodes(deps.database, selection))
    for (let from = 0; from < nodes.length; from += SLICE_NODES) {
      const slice = nodes.slice(from, from + SLICE_NODES);
      yield await inSlice(() => slice.map((node) => writtenNode(toViewed(node), deps, nowMs, how)));
    }
}

function writtenNode(node: ViewedNode, deps: NodeDeps, nowMs: number, { selector, urlOf, caller }: Shown): WrittenNode {
  const context = { names: deps.names, nowMs, urlOf };
  const json = selector
    ? JSON.stringify(selectAttributes(nodeView(node, { ...context, caller }), selector))
    : nodeText(node, context);
  return { nodeId: node.nodeId, parentId: node.parentId, key: nameKey(node.name), json };
}

/**
 * Returns documents of those among given nodes that a scope has and a filter takes, by id.
 * @throws DomainError invalid_argument for the filter, before anything is read
 */
export function documentsOf(
  deps: ListDeps,
  scope: Scope,
  { filter, ...how }: Shown & { readonly filter: string },
): (nodeIds: readonly string[]) => Promise<Map<string, string>> {
  const among = nodesAmong(deps.columns, scope, parseFilter(filter));
  return async (nodeIds) => {
    const found = new Map<string, string>();
    if (nodeIds.length === 0) return found;
    for await (const slice of writtenNodes(deps, among(nodeIds), how))
      for (const { nodeId, json } of slice) found.set(nodeId, json);
    return found;
  };
}
