import type { Scope } from '@catchment/access';
import { type Columns, compileFilter, compileSort, type Filter, type Sort } from '@catchment/query';
import { withoutClosed } from '../../rights/index.ts';

/** A query of views reads these nodes in this order: it is what follows FROM, with `$n` for its values. */
export type NodeSelection = { readonly rest: string; readonly values: readonly unknown[] };

/** A list filters and sorts nodes, and shows a part of them. */
export type ListedQuery = {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly limit: number;
  readonly skip: number;
};

/** Selects a page of the nodes that a scope has and a filter takes. @throws DomainError invalid_argument */
export function listedNodes(columns: Columns, scope: Scope, { filter, sort, limit, skip }: ListedQuery): NodeSelection {
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

/** Selects the nodes of a scope in the order of their ids, at most `limit` of them. */
export function firstNodes(scope: Scope, limit: number): NodeSelection {
  const values: unknown[] = [];
  const within = scopeSql(scope, values);
  return { rest: `WHERE ${within} ORDER BY n.node_id LIMIT $${values.push(limit)}`, values };
}

/** Selects nodes by their ids alone. */
export const givenNodes = (nodeIds: readonly string[]): NodeSelection => ({
  rest: 'WHERE n.node_id = ANY($1)',
  values: [nodeIds],
});

/** Returns a function that selects, among given nodes, those that a scope has and a filter takes. @throws DomainError invalid_argument */
export function nodesAmong(
  columns: Columns,
  scope: Scope,
  filter: Filter,
): (nodeIds: readonly string[]) => NodeSelection {
  const values: unknown[] = [];
  const condition = conditionSql(columns, scope, filter, values);
  const rest = `WHERE n.node_id = ANY($${values.length + 1}) AND ${condition}`;
  return (nodeIds) => ({ rest, values: [...values, nodeIds] });
}

/** Selects the nodes that a scope has and a filter takes. @throws DomainError invalid_argument */
function conditionSql(columns: Columns, scope: Scope, filter: Filter, values: unknown[]): string {
  const within = scopeSql(scope, values);
  const taken = compileFilter(filter, columns, values, {
    nodeIdOf: (customId, bind) =>
      `(SELECT named.node_id FROM nodes named WHERE ${scopeSql(scope, values, 'named')} AND named.custom_id = ${bind(customId)}::text)`,
  });
  return `${within} AND ${taken}`;
}

/**
 * Selects the nodes that a scope has. Lists of limited callers are narrowed silently
 * (docs/reference/authentication.md#access-levels).
 */
export function scopeSql(scope: Scope, values: unknown[], table = 'n'): string {
  const ofAccount = `${table}.owner_id = $${values.push(scope.ownerId)}`;
  if (!scope.workspaceIds) return ofAccount;
  const within = `${table}.workspace_id = ANY($${values.push(scope.workspaceIds)}::text[])`;
  return `${ofAccount} AND ${within}${withoutClosed(scope, `${table}.node_id`, values)}`;
}
