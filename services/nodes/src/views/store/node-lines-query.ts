import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';
import { closedTo } from '../../rights/index.ts';
import { EDGES, shownOf, toEdges, toShown, type ValuesRow } from '../../shown/index.ts';
import type { StoredAlarm } from '../../values/index.ts';
import type { LinedNode } from '../domain/node-line.ts';
import { RAISED } from './raised-alarms-query.ts';
import { shownQuality } from './shown-quality.ts';

export type LineRow = NodeRow &
  ValuesRow & {
    session_status: string | null;
    current_state_id: string | null;
    alarms: Record<string, StoredAlarm> | null;
  };

const COLUMNS = [
  NODE_COLUMNS,
  ...EDGES.flatMap((edge) => [
    ...['ms', 'value', 'number', 'state'].map((what) => `v.${edge}_${what}`),
    `${shownQuality(edge)} AS ${edge}_quality`,
  ]),
  'v.status, v.is_stale, v.session_status, v.control_value, a.current_state_id, a.alarms',
].join(', ');

/**
 * Selects what lines show of the nodes of `page`, a relation of the statement that has few: left to choose, PostgreSQL
 * reads all nodes of the account and joins them afterwards.
 * @param more further columns, of `n`
 */
export const linesOf = (page: string, more: string): string => `
  SELECT ${COLUMNS}, ${more} FROM nodes n JOIN owners o ON o.owner_id = n.owner_id
  LEFT JOIN LATERAL (SELECT * FROM node_values own WHERE own.node_id = n.node_id OFFSET 0) v ON TRUE
  LEFT JOIN LATERAL (SELECT * FROM node_alarms own WHERE own.node_id = n.node_id OFFSET 0) a ON TRUE
  WHERE n.node_id = ANY (ARRAY(SELECT node_id FROM ${page})) OFFSET 0`;

export function toLined(row: LineRow): LinedNode {
  const [node, edges] = [toNode(row), toEdges(row)];
  const { current_state_id: reported, session_status: session } = row;
  const shown = row.is_stale === false ? toShown(row) : shownOf({ ...node, reported, session }, edges);
  return { ...node, edges, shown, alarms: row.alarms ?? {} };
}

type ChildrenQuery = {
  /** undefined = the Workspaces. */
  readonly parent: { readonly nodeId: string; readonly workspaceId: string } | undefined;
  /** The page begins after the name with this key; undefined = at the beginning. */
  readonly after: string | undefined;
  readonly limit: number;
};
export type Child = {
  readonly node: LinedNode;
  readonly nameKey: string;
  readonly childCount: number;
  readonly alarmsBelow: { readonly active: number; readonly acknowledged: number };
};

/**
 * Reads a page of what lies directly under a node, in the order of trees, with what lies below each: one statement. Raised alarms are few:
 * from each the way up is gone, rather than down from each child. OFFSET 0 has the nodes of both looked up by their ids: left to choose,
 * PostgreSQL reads the whole table.
 */
export async function readChildren(on: Queryable, scope: Scope, query: ChildrenQuery): Promise<readonly Child[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const owner = bind(scope.ownerId);
  const within = scope.workspaceIds ? ` AND n.workspace_id = ANY(${bind(scope.workspaceIds)}::text[])` : '';
  const shut = closedTo(scope, values);
  const notShut = (nodeId: string) => (shut ? ` AND ${nodeId} NOT IN (SELECT node_id FROM shut)` : '');
  const visible = `n.owner_id = ${owner}${within}${notShut('n.node_id')}`;
  const { parent, after } = query;
  const under = parent ? `n.parent_id = ${bind(parent.nodeId)}` : 'n.parent_id IS NULL';
  const place = after === undefined ? '' : ` AND n.name_key > ${bind(after)}`;
  const inside = parent ? ` AND n.workspace_id = ${bind(parent.workspaceId)}` : '';
  const limit = bind(query.limit);
  const { rows } = await on.query<
    LineRow & { name_key: string; child_count: number; active: number; acknowledged: number }
  >(
    `WITH RECURSIVE ${shut ? `shut AS MATERIALIZED (${shut}), ` : ''}page AS MATERIALIZED (
       SELECT n.node_id FROM nodes n WHERE ${visible} AND ${under}${place} ORDER BY n.name_key LIMIT ${limit}
     ), raised AS (
       SELECT n.parent_id, sum(c.active) AS active, sum(c.raised - c.active) AS acknowledged
       FROM node_alarms a CROSS JOIN LATERAL (SELECT * FROM nodes own WHERE own.node_id = a.node_id OFFSET 0) n
       CROSS JOIN LATERAL (
         SELECT count(*) FILTER (WHERE alarm.value ->> 'alarmState' = 'ACTIVE') AS active,
           count(*) FILTER (WHERE alarm.value ->> 'alarmState' <> 'CLEARED') AS raised
         FROM jsonb_each(a.alarms) alarm) c
       WHERE a.owner_id = ${owner} AND ${RAISED} AND ${visible}${inside} GROUP BY n.parent_id
     ), up AS (
       SELECT parent_id AS node_id, active, acknowledged FROM raised WHERE parent_id IS NOT NULL
       UNION ALL
       SELECT p.parent_id, up.active, up.acknowledged FROM up
       CROSS JOIN LATERAL (SELECT own.parent_id FROM nodes own WHERE own.node_id = up.node_id OFFSET 0) p
       WHERE p.parent_id IS NOT NULL
     ), below AS (
       SELECT node_id, sum(active)::int AS active, sum(acknowledged)::int AS acknowledged FROM up
       WHERE node_id IN (SELECT node_id FROM page) GROUP BY node_id
     )
     SELECT line.*, coalesce(below.active, 0) AS active, coalesce(below.acknowledged, 0) AS acknowledged
     FROM (${linesOf(
       'page',
       `n.name_key, (SELECT count(*)::int FROM nodes n_ WHERE n_.parent_id = n.node_id${notShut('n_.node_id')}) AS child_count`,
     )}) line LEFT JOIN below ON below.node_id = line.node_id
     ORDER BY line.name_key`,
    values,
  );
  return rows.map((row) => ({
    node: toLined(row),
    nameKey: row.name_key,
    childCount: row.child_count,
    alarmsBelow: { active: row.active, acknowledged: row.acknowledged },
  }));
}
