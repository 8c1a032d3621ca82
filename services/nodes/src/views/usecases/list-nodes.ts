import { type ApiCaller, type Scope, scopeOf } from '@catchment/access';
import { invalid, tooLarge } from '@catchment/errors';
import { inSlice } from '@catchment/fair-queue';
import {
  type AttrSelector,
  argumentReader,
  type Columns,
  compileFilter,
  compileSort,
  type Filter,
  LIST_MAX,
  NODE_LIST,
  parseAttr,
  parseFilter,
  parseSort,
  type Sort,
  selectAttributes,
} from '@catchment/query';
import { nameKey } from '../../domain/body/names.ts';
import type { NodeDeps } from '../../nodes/index.ts';
import { withoutClosed } from '../../rights/index.ts';
import type { FileUrl } from '../domain/file-view.ts';
import { nodeText, nodeView } from '../domain/node-view.ts';
import { listText, treeText, type WrittenNode } from '../domain/tree-text.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { ownerRevision } from '../store/list-revision-query.ts';
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
 * The JSON text of a list in pieces of about 64 KiB; the first call of the iterator settles every refusal.
 * @throws DomainError invalid_argument, too_large (a TREE of 5000 nodes or more)
 */
export async function* listNodes(deps: ListDeps, caller: ApiCaller, query: ListQuery): AsyncGenerator<string> {
  const scope = scopeOf(caller);
  const how = { selector: query.attr === '' ? undefined : parseAttr(query.attr), urlOf: query.urlOf, caller };
  const isTree = argumentReader(NODE_LIST, { type: query.type })('type') === 'TREE';
  yield* (isTree ? tree : flat)(deps, scope, query, how);
}

export const listRevision = (deps: ViewDeps, scope: Scope): Promise<string> =>
  ownerRevision(deps.database, scope.ownerId);

async function* flat(deps: ListDeps, scope: Scope, query: ListQuery, how: Shown) {
  const { rest, values } = listStatement(deps.columns, scope, parseQuery(query));
  yield* listText(writtenNodes(deps, rest, values, how));
}

type ParsedQuery = { readonly filter: Filter; readonly sort: Sort; readonly limit: number; readonly skip: number };

/** @throws DomainError invalid_argument */
export function parseQuery({
  filter,
  sort,
  limit = LIST_MAX,
  skip,
}: Omit<ListQuery, 'attr' | 'type' | 'urlOf'>): ParsedQuery {
  if (!Number.isInteger(limit) || limit < 0 || limit > LIST_MAX)
    throw invalid('INVALID_ARGUMENT', `limit: must be a whole number from 0 to ${LIST_MAX}`);
  return { filter: parseFilter(filter), sort: parseSort(sort), limit, skip };
}

/**
 * The query of a LIST to the view of nodes.
 * @throws DomainError invalid_argument
 */
export function listStatement(
  columns: Columns,
  scope: Scope,
  { filter, sort, limit, skip }: ParsedQuery,
): { rest: string; values: unknown[] } {
  const values: unknown[] = [];
  const condition = conditionSql(columns, scope, filter, values);
  const order = compileSort(sort, columns, values, {
    idSql: 'n.node_id',
    fallback: [{ path: 'createdTime', direction: 'ASC' }],
  });
  values.push(limit, skip);
  const page = `LIMIT $${values.length - 1} OFFSET $${values.length}`;
  return { rest: `WHERE ${condition} ORDER BY ${order} ${page}`, values };
}

/** The nodes that a scope has and a filter takes. @throws DomainError invalid_argument */
function conditionSql(columns: Columns, scope: Scope, filter: Filter, values: unknown[]): string {
  const within = scopeSql(scope, values);
  const taken = compileFilter(filter, columns, values, {
    nodeIdOf: (customId, bind) =>
      `(SELECT named.node_id FROM nodes named WHERE ${scopeSql(scope, values, 'named')} AND named.custom_id = ${bind(customId)}::text)`,
  });
  return `${within} AND ${taken}`;
}

async function* tree(deps: ListDeps, scope: Scope, query: ListQuery, how: Shown) {
  if (query.filter || query.sort || query.limit !== undefined || query.skip > 0)
    throw invalid('INVALID_ARGUMENT', 'type: filter, sort, limit and skip must not be given with TREE');
  const values: unknown[] = [];
  const rest = `WHERE ${scopeSql(scope, values)} ORDER BY n.node_id LIMIT ${TREE_LIMIT}`;
  const nodes: WrittenNode[] = [];
  for await (const slice of writtenNodes(deps, rest, values, how)) nodes.push(...slice);
  if (nodes.length >= TREE_LIMIT)
    throw tooLarge(`Request or response too large: a TREE must have fewer than ${TREE_LIMIT} nodes`);
  yield* treeText(nodes, null);
}

/**
 * Nodes as they are shown, written out, in slices of some milliseconds: of a large answer nothing else is held.
 * @param rest what follows FROM, with `$n` for values
 */
export async function* writtenNodes(
  deps: NodeDeps,
  rest: string,
  values: readonly unknown[],
  how: Shown,
): AsyncGenerator<WrittenNode[]> {
  const nowMs = deps.now();
  for await (const nodes of viewedNodes(deps.database, rest, values))
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
 * Documents of those among given nodes that a scope has and a filter takes, by id.
 * @throws DomainError invalid_argument for the filter, before anything is read
 */
export function documentsOf(
  deps: ListDeps,
  scope: Scope,
  { filter, ...how }: Shown & { readonly filter: string },
): (nodeIds: readonly string[]) => Promise<Map<string, string>> {
  const values: unknown[] = [];
  const condition = conditionSql(deps.columns, scope, parseFilter(filter), values);
  const rest = `WHERE n.node_id = ANY($${values.length + 1}) AND ${condition}`;
  return async (nodeIds) => {
    const found = new Map<string, string>();
    if (nodeIds.length === 0) return found;
    for await (const slice of writtenNodes(deps, rest, [...values, nodeIds], how))
      for (const { nodeId, json } of slice) found.set(nodeId, json);
    return found;
  };
}

/**
 * The nodes that a scope has. Lists of limited callers are narrowed silently
 * (docs/reference/authentication.md#access-levels).
 */
export function scopeSql(scope: Scope, values: unknown[], table = 'n'): string {
  const own = `${table}.owner_id = $${values.push(scope.ownerId)}`;
  if (!scope.workspaceIds) return own;
  const within = `${table}.workspace_id = ANY($${values.push(scope.workspaceIds)}::text[])`;
  return `${own} AND ${within}${withoutClosed(scope, `${table}.node_id`, values)}`;
}
