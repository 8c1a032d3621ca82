import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import type { Peer, Peers } from '../domain/facts.ts';
import type { Way } from '../domain/way.ts';

/** The alarm is raised, acknowledged or not. */
const isOutdated = (alarms: string): string =>
  `coalesce(${alarms} -> 'outdatedAlarm' ->> 'alarmState', 'CLEARED') <> 'CLEARED'`;

type SourceData = {
  readonly isOutdated: boolean;
  /** Unix ms; null = never. */
  readonly lastSuccessMs: number | null;
  readonly newestRecordMs: number | null;
  readonly recordsAheadMs: number | null;
};

/** Reads what is known of the data of a source, in one statement. */
export async function sourceData(on: Queryable, nodeId: string): Promise<SourceData> {
  const { rows } = await on.query<{
    is_outdated: boolean;
    last_success_ms: number | null;
    newest_ms: number | null;
    ahead_ms: number | null;
  }>(
    `SELECT ${isOutdated('a.alarms')} AS is_outdated, v.last_success_ms, c.newest_ms, c.ahead_ms
     FROM nodes n LEFT JOIN node_values v USING (node_id) LEFT JOIN node_alarms a USING (node_id)
     LEFT JOIN LATERAL (
       SELECT max(cv.current_ms) AS newest_ms, max(cv.current_ms - cv.updated_ms) AS ahead_ms
       FROM nodes c JOIN node_values cv USING (node_id) WHERE c.parent_id = n.node_id) c ON TRUE
     WHERE n.node_id = $1`,
    [nodeId],
    'source-data',
  );
  const [row] = rows;
  return {
    isOutdated: row?.is_outdated ?? false,
    lastSuccessMs: row?.last_success_ms ?? null,
    newestRecordMs: row?.newest_ms ?? null,
    recordsAheadMs: row?.ahead_ms ?? null,
  };
}

/** Finds the sources directly under a node, at most three. */
export async function sourcesUnder(on: Queryable, nodeId: string): Promise<string[]> {
  const { rows } = await on.query<{ node_id: string }>(
    `SELECT node_id FROM nodes WHERE parent_id = $1 AND class LIKE 'source.%' ORDER BY node_id LIMIT 3`,
    [nodeId],
    'sources-under',
  );
  return rows.map((row) => row.node_id);
}

const LOOKED_AT = 200;

/**
 * Reads other sources on the same way that a scope shows, as far as they are enabled: one statement, which looks at a limited number of
 * them. Those of other accounts, of other Workspaces and under No Access are left out.
 */
export async function peersOf(
  on: Queryable,
  scope: Scope,
  closed: (column: string, values: unknown[]) => string,
  { nodeId, way }: { readonly nodeId: string; readonly way: Way },
): Promise<Omit<Peers, 'by'>> {
  const values: unknown[] = [scope.ownerId, nodeId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const same = Object.entries(way.fields).map(
    ([field, value]) => `n.config -> 'transport' ->> ${bind(field)} = ${bind(value)}`,
  );
  const workspaces = scope.workspaceIds ? ` AND n.workspace_id = ANY(${bind(scope.workspaceIds)}::text[])` : '';
  const isOpen = closed('n.node_id', values);
  const { rows } = await on.query<{
    node_id: string;
    name: string;
    is_outdated: boolean;
    has_failed: boolean;
    last_success_ms: number | null;
  }>(
    `SELECT n.node_id, n.name, ${isOutdated('a.alarms')} AS is_outdated,
       coalesce(v.session_status, '') IN ('FAILED', 'RETRYING') AS has_failed, v.last_success_ms
     FROM nodes n JOIN nodes w ON w.node_id = n.workspace_id AND w.class = 'Workspace'
     LEFT JOIN node_values v ON v.node_id = n.node_id LEFT JOIN node_alarms a ON a.node_id = n.node_id
     WHERE n.owner_id = $1 AND n.node_id <> $2 AND n.class LIKE 'source.%'
       AND coalesce((n.config ->> 'isEnabled')::boolean, TRUE) AND ${same.join(' AND ')}${workspaces}${isOpen}
     ORDER BY v.last_success_ms DESC NULLS LAST, n.node_id LIMIT ${bind(LOOKED_AT + 1)}`,
    values,
  );
  const list = rows.slice(0, LOOKED_AT).map(
    (row): Peer => ({
      nodeId: row.node_id,
      name: row.name,
      isOutdated: row.is_outdated,
      hasFailed: row.has_failed,
      lastSuccessMs: row.last_success_ms ?? undefined,
    }),
  );
  return { list, hasMore: rows.length > LOOKED_AT };
}
