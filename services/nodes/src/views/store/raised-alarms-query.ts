import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { withoutClosed } from '../../rights/index.ts';
import type { StoredAlarm } from '../../values/index.ts';

/** A page begins behind this alarm: newest first, then by node and type. */
export type AlarmPlace = { readonly activeMs: number; readonly nodeId: string; readonly alarmType: string };
type RaisedAlarm = AlarmPlace & {
  readonly path: string;
  /** The node is this Location, or lies in it. */
  readonly locationId: string | null;
  readonly status: StoredAlarm;
};

type RaisedQuery = {
  readonly states: readonly string[];
  /** undefined = all. */
  readonly types: readonly string[] | undefined;
  readonly workspaceId: string | undefined;
  /** The node and all below. */
  readonly nodeId: string | undefined;
  readonly after: AlarmPlace | undefined;
  readonly limit: number;
};

/** The index node_alarms_raised_of_owner (migration 0057) has the same condition. */
export const RAISED = `a.alarms @? '$.* ? (@.alarmState != "CLEARED")'`;

type Row = {
  node_id: string;
  alarm_type: string;
  active_ms: number;
  status: StoredAlarm;
  path: string;
  location_id: string | null;
};

const locationOf = (node: string): string => `CASE WHEN ${node}.class = 'location.Location' THEN ${node}.node_id END`;

/** Reads the alarms that a scope shows: one statement. */
export async function raisedAlarms(on: Queryable, scope: Scope, query: RaisedQuery): Promise<readonly RaisedAlarm[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const owner = bind(scope.ownerId);
  const where = [
    `a.owner_id = ${owner}`,
    `n.owner_id = ${owner}`,
    RAISED,
    `s.alarm_state = ANY(${bind(query.states)}::text[])`,
  ];
  if (query.types) where.push(`alarm.key = ANY(${bind(query.types)}::text[])`);
  if (scope.workspaceIds) where.push(`n.workspace_id = ANY(${bind(scope.workspaceIds)}::text[])`);
  if (query.workspaceId) where.push(`n.workspace_id = ${bind(query.workspaceId)}`);
  if (query.nodeId) where.push('n.node_id IN (SELECT node_id FROM below)');
  if (query.after) {
    const { activeMs, nodeId, alarmType } = query.after;
    const ms = `${bind(activeMs)}::bigint`;
    where.push(
      `(s.active_ms < ${ms} OR (s.active_ms = ${ms} AND (n.node_id, alarm.key COLLATE "C") > (${bind(nodeId)}, ${bind(alarmType)})))`,
    );
  }
  const closed = withoutClosed(scope, 'n.node_id', values);
  const below = query.nodeId
    ? `below AS (SELECT node_id FROM nodes WHERE node_id = ${bind(query.nodeId)}
        UNION ALL SELECT c.node_id FROM below JOIN nodes c ON c.parent_id = below.node_id),`
    : '';
  const { rows } = await on.query<Row>(
    `WITH RECURSIVE ${below} raised AS (
       SELECT n.node_id, n.owner_id, n.parent_id, n.name, ${locationOf('n')} AS location_id, alarm.key AS alarm_type, s.active_ms, alarm.value AS status
       FROM nodes n JOIN node_alarms a USING (node_id) CROSS JOIN LATERAL jsonb_each(a.alarms) alarm
       CROSS JOIN LATERAL (SELECT alarm.value ->> 'alarmState' AS alarm_state,
         coalesce((alarm.value ->> 'activeTime')::bigint, 0) AS active_ms) s
       WHERE ${where.join(' AND ')}${closed}
       ORDER BY s.active_ms DESC, n.node_id, alarm.key COLLATE "C" LIMIT ${bind(query.limit)}
     ), line AS (
       SELECT DISTINCT node_id AS start_id, parent_id, name AS path, location_id FROM raised
       UNION ALL
       SELECT line.start_id, p.parent_id, p.name || '/' || line.path, coalesce(line.location_id, ${locationOf('p')}) FROM line JOIN nodes p ON p.node_id = line.parent_id
     )
     SELECT r.node_id, r.alarm_type, r.active_ms, r.status, o.slug || '/' || line.path AS path, line.location_id
     FROM raised r JOIN line ON line.start_id = r.node_id AND line.parent_id IS NULL JOIN owners o ON o.owner_id = r.owner_id
     ORDER BY r.active_ms DESC, r.node_id, r.alarm_type COLLATE "C"`,
    values,
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    alarmType: row.alarm_type,
    activeMs: row.active_ms,
    path: row.path,
    locationId: row.location_id,
    status: row.status,
  }));
}
