import type { Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';

/** Placeholders of a statement stand for a workspace user to whom branches are closed, and for the account. */
type Whom = { readonly owner: string; readonly user: string; readonly asOf: string };

/**
 * The user's workspaces: whether CONFIGURE, which No Access never takes away, comes by any way, whether there is an own
 * entry, and the groups that give access (docs/reference/people-and-security.md#effective-permissions).
 */
const granted = ({ owner, user, asOf }: Whom): string => `
  SELECT workspace_id, bool_or('CONFIGURE' = ANY (permissions)) AS configures, bool_or(group_id IS NULL) AS has_own,
    array_remove(array_agg(group_id), NULL) AS group_ids
  FROM user_access WHERE owner_id = ${owner} AND user_id = ${user} AND (expires_ms IS NULL OR expires_ms > ${asOf})
  GROUP BY workspace_id`;

/** No Access that counts for the user: the user's own, and that of groups where only groups give access. */
const counts = ({ user }: Whom): string =>
  `NOT g.configures AND (c.user_id = ${user} OR (NOT g.has_own AND c.group_id = ANY (g.group_ids)))`;

/** Selects nodes that are closed for the user, or for every group. @param group column that holds the group; NULL = the user's own */
const cutsOff = (group: string): string =>
  `bool_or(${group} IS NULL) OR count(DISTINCT ${group}) = cardinality(g.group_ids)`;

/** Returns a statement that gives the ids of all nodes that are closed to a workspace user. */
const closedNodes = (whom: Whom): string => `
  WITH RECURSIVE granted AS (${granted(whom)}), closed AS (
    SELECT n.node_id, n.workspace_id, c.group_id
    FROM closed_nodes c JOIN nodes n USING (node_id) JOIN granted g USING (workspace_id)
    WHERE c.owner_id = ${whom.owner} AND ${counts(whom)}
    UNION
    SELECT n.node_id, n.workspace_id, closed.group_id FROM closed JOIN nodes n ON n.parent_id = closed.node_id
  ) SELECT closed.node_id FROM closed JOIN granted g USING (workspace_id)
  GROUP BY closed.node_id, g.group_ids HAVING ${cutsOff('closed.group_id')}`;

/** Appends the user of a scope, to whom branches may be closed, to the values of a statement. */
function bindWhom({ ownerId, closedTo }: Scope, values: unknown[]): Whom | undefined {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  return closedTo && { owner: bind(ownerId), user: bind(closedTo.userId), asOf: bind(closedTo.asOfMs) };
}

/**
 * Returns a condition that leaves out nodes closed to a scope's user; empty when none are.
 * @param nodeId column
 * @param values of the statement: what the condition needs is appended
 */
export function withoutClosed(scope: Scope, nodeId: string, values: unknown[]): string {
  const whom = bindWhom(scope, values);
  return whom ? ` AND ${nodeId} NOT IN (${closedNodes(whom)})` : '';
}

/**
 * Returns a statement that gives the ids of all nodes that are closed to a scope's user; undefined when none are. It serves statements
 * that leave them out in several places, or row by row.
 */
export function closedTo(scope: Scope, values: unknown[]): string | undefined {
  const whom = bindWhom(scope, values);
  return whom && closedNodes(whom);
}

/** Returns SQL of whether one node is closed to a scope's user, by the nodes above it. Arguments as of `withoutClosed`. */
export function isClosed(scope: Scope, nodeId: string, values: unknown[]): string {
  const whom = bindWhom(scope, values);
  if (!whom) return 'FALSE';
  return `EXISTS (
    WITH RECURSIVE line AS (
      SELECT node_id, parent_id, workspace_id FROM nodes WHERE node_id = ${nodeId}
      UNION ALL
      SELECT p.node_id, p.parent_id, p.workspace_id FROM line JOIN nodes p ON p.node_id = line.parent_id
    ), granted AS (${granted(whom)})
    SELECT 1 FROM line JOIN closed_nodes c USING (node_id) JOIN granted g USING (workspace_id)
    WHERE ${counts(whom)} GROUP BY g.group_ids HAVING ${cutsOff('c.group_id')})`;
}

/**
 * Returns SQL of whether a node that is gone was closed to a scope's user.
 * @param gone alias of `gone_nodes`, which says to whom nodes were closed
 */
export function wasClosed(scope: Scope, gone: string, values: unknown[]): string {
  const whom = bindWhom(scope, values);
  if (!whom) return 'FALSE';
  return `EXISTS (
    SELECT FROM (${granted(whom)}) g WHERE g.workspace_id = ${gone}.workspace_id AND NOT g.configures
      AND (${whom.user} = ANY (${gone}.closed_to)
        OR (NOT g.has_own AND g.group_ids <> '{}' AND g.group_ids <@ ${gone}.closed_to)))`;
}

/** Returns what No Access rests on for a scope's user: the text is another when other branches are closed. */
export async function closingsOf(on: Queryable, { ownerId, closedTo }: Scope): Promise<string[]> {
  if (!closedTo) return [];
  const whom = { owner: '$1', user: '$2', asOf: '$3' };
  const { rows } = await on.query<{ closing: string }>(
    `SELECT concat_ws(' ', c.node_id, c.group_id, g.group_ids) AS closing
     FROM closed_nodes c JOIN nodes n USING (node_id) JOIN (${granted(whom)}) g USING (workspace_id)
     WHERE c.owner_id = $1 AND ${counts(whom)} ORDER BY 1`,
    [ownerId, closedTo.userId, closedTo.asOfMs],
    'closings',
  );
  return rows.map((row) => row.closing);
}

/** Reads the ids of all nodes that are closed to a scope's user. */
export async function closedIds(on: Queryable, { ownerId, closedTo }: Scope): Promise<string[]> {
  if (!closedTo) return [];
  const { rows } = await on.query<{ node_id: string }>(
    closedNodes({ owner: '$1', user: '$2', asOf: '$3' }),
    [ownerId, closedTo.userId, closedTo.asOfMs],
    'closed-nodes',
  );
  return rows.map((row) => row.node_id);
}

/**
 * Nodes closed to the scope's user do not exist for them (docs/reference/people-and-security.md#effective-permissions).
 * @throws DomainError not_found
 */
export async function checkNotClosed(on: Queryable, scope: Scope, nodeId: string): Promise<void> {
  if (!scope.closedTo) return;
  const values: unknown[] = [nodeId];
  const { rows } = await on.query(`SELECT WHERE ${isClosed(scope, '$1::text', values)}`, values, 'is-closed');
  if (rows.length > 0) throw notFound();
}
