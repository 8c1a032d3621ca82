import type { Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { Database, Queryable } from '@catchment/pg';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';
import { isClosed, withoutClosed } from '../../rights/index.ts';
import { EDGES, type RawValue, shownOf, toEdges, toShown, type ValuesRow } from '../../shown/index.ts';
import type { StoredAlarm } from '../../values/index.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { shownQuality } from './shown-quality.ts';
import { SOURCE_DATA } from './source-data-query.ts';

/** Rows read at a time of a long list: memory stays at two batches. */
const BATCH_ROWS = 500;

type ViewRow = NodeRow &
  ValuesRow & {
    updated_ms: number | null;
    last_attempt_ms: number | null;
    last_success_ms: number | null;
    total_attempts: number;
    total_successes: number;
    last_record_count: number;
    session_status: string | null;
    logger_model: string | null;
    logger_firmware: string | null;
    logger_program: string | null;
    control_value: RawValue | null;
    current_state_id: string | null;
    alarms: Record<string, StoredAlarm> | null;
    data_ms: number;
    /** The newest of an attachment source, or of the image source of a Location. */
    attachment_id: string | null;
  };

const COLUMNS = [
  NODE_COLUMNS,
  ...EDGES.flatMap((edge) => [
    ...['ms', 'value', 'number', 'state'].map((what) => `v.${edge}_${what}`),
    `${shownQuality(edge)} AS ${edge}_quality`,
  ]),
  'v.status, v.is_stale, v.updated_ms, v.last_attempt_ms, v.last_success_ms, v.total_attempts, v.total_successes',
  'v.session_status, v.logger_model, v.logger_firmware, v.logger_program, v.control_value',
  'v.last_record_count, a.current_state_id, a.alarms, d.data_ms, t.attachment_id',
].join(', ');

/**
 * OFFSET 0 has what belongs to a node looked up by its id: left to choose, PostgreSQL reads these tables whole, with the rows
 * of all accounts, as soon as an account has some thousand nodes. `v` and `a` may be without a row.
 */
const FROM = `
  FROM nodes n
  JOIN owners o ON o.owner_id = n.owner_id
  LEFT JOIN LATERAL (SELECT * FROM node_values own WHERE own.node_id = n.node_id OFFSET 0) v ON TRUE
  LEFT JOIN LATERAL (SELECT * FROM node_alarms own WHERE own.node_id = n.node_id OFFSET 0) a ON TRUE
  ${SOURCE_DATA}
  CROSS JOIN LATERAL (
    SELECT CASE WHEN n.class IN ('source.attachment.AttachmentSource', 'location.Location') THEN (
      SELECT c.node_id FROM nodes c
      WHERE c.class = 'Attachment'
        AND c.parent_id = CASE n.class WHEN 'location.Location' THEN n.config ->> 'imageSourceId' ELSE n.node_id END
      ORDER BY c.created_ms DESC, c.node_id DESC LIMIT 1
    ) END AS attachment_id
  ) t`;

/**
 * One query: configuration, current values and alarm status lie side by side
 * (docs/reference/guarantees.md#lists-in-one-query).
 */
export const VIEW = `SELECT ${COLUMNS} ${FROM}`;

/** @throws DomainError not_found */
export async function viewedNode(on: Queryable, nodeId: string): Promise<ViewedNode> {
  const { rows } = await on.query<ViewRow>(`${VIEW} WHERE n.node_id = $1`, [nodeId], 'view-node');
  if (!rows[0]) throw notFound();
  return toViewed(rows[0]);
}

/** Nodes of the account by their ids. */
export async function viewedByIds(
  on: Queryable,
  ownerId: string,
  nodeIds: readonly string[],
): Promise<Map<string, ViewedNode>> {
  const { rows } = await on.query<ViewRow>(
    `${VIEW} WHERE n.node_id = ANY($1) AND n.owner_id = $2`,
    [nodeIds, ownerId],
    'view-by-ids',
  );
  return new Map(rows.map((row) => [row.node_id, toViewed(row)]));
}

/** Those of the nodes that lie in a workspace and are not closed to a scope: one statement. */
export async function viewedInWorkspace(
  on: Queryable,
  scope: Scope,
  workspaceId: string,
  nodeIds: readonly string[],
): Promise<Map<string, ViewedNode>> {
  if (nodeIds.length === 0) return new Map();
  const values: unknown[] = [nodeIds, scope.ownerId, workspaceId];
  const { rows } = await on.query<ViewRow>(
    `${VIEW} WHERE n.node_id = ANY($1) AND n.owner_id = $2 AND n.workspace_id = $3${withoutClosed(scope, 'n.node_id', values)}`,
    values,
    `view-in-workspace${scope.closedTo ? '-unless-closed' : ''}`,
  );
  return new Map(rows.map((row) => [row.node_id, toViewed(row)]));
}

/**
 * The node of the account that a reference names, whatever its workspace, and whether it is closed to the caller: one
 * statement.
 */
export async function viewedByReference(
  on: Queryable,
  scope: Scope,
  reference: string,
): Promise<{ readonly node: ViewedNode; readonly isClosed: boolean } | undefined> {
  const ref = parseNodeRef(reference);
  if (!ref) return undefined;
  const values: unknown[] = [ref.kind === 'id' ? ref.id : ref.customId, scope.ownerId];
  const found = ref.kind === 'id' ? 'n.node_id' : 'n.custom_id';
  const { rows } = await on.query<ViewRow & { is_closed: boolean }>(
    `SELECT ${COLUMNS}, ${isClosed(scope, 'n.node_id', values)} AS is_closed ${FROM} WHERE ${found} = $1 AND n.owner_id = $2`,
    values,
    `view-by-${ref.kind}${scope.closedTo ? '-unless-closed' : ''}`,
  );
  return rows[0] && { node: toViewed(rows[0]), isClosed: rows[0].is_closed };
}

/** The nodes that some references name within a scope, in no order: one statement. */
export async function viewedByReferences(
  on: Queryable,
  scope: Scope,
  references: readonly string[],
): Promise<readonly ViewedNode[]> {
  const refs = references.flatMap((reference) => parseNodeRef(reference) ?? []);
  if (refs.length === 0) return [];
  const values: unknown[] = [
    scope.ownerId,
    refs.flatMap((ref) => (ref.kind === 'id' ? ref.id : [])),
    refs.flatMap((ref) => (ref.kind === 'customId' ? ref.customId : [])),
    scope.workspaceIds ?? null,
  ];
  const { rows } = await on.query<ViewRow>(
    `${VIEW} WHERE n.owner_id = $1 AND (n.node_id = ANY($2) OR n.custom_id = ANY($3))
       AND ($4::text[] IS NULL OR n.workspace_id = ANY($4))${withoutClosed(scope, 'n.node_id', values)}`,
    values,
    scope.closedTo ? undefined : 'view-by-references',
  );
  return rows.map(toViewed);
}

/** @param rest what follows FROM, with `$n` for values */
export async function* viewedNodes(
  database: Database,
  rest: string,
  values: readonly unknown[],
): AsyncGenerator<ViewedNode[]> {
  for await (const rows of database.stream<ViewRow>(`${VIEW} ${rest}`, values, BATCH_ROWS)) yield rows.map(toViewed);
}

function toViewed(row: ViewRow): ViewedNode {
  const [node, edges] = [toNode(row), toEdges(row)];
  const { current_state_id: reported } = row;
  return {
    ...node,
    edges,
    shown: row.is_stale === false ? toShown(row) : shownOf({ ...node, reported, session: row.session_status }, edges),
    updatedMs: row.updated_ms,
    counters: {
      lastAttemptMs: row.last_attempt_ms,
      lastSuccessMs: row.last_success_ms,
      totalAttempts: row.total_attempts,
      totalSuccesses: row.total_successes,
      lastRecordCount: row.last_record_count,
    },
    logger: { model: row.logger_model, firmwareVersion: row.logger_firmware, progName: row.logger_program },
    controlValue: row.control_value,
    alarms: row.alarms ?? {},
    dataMs: row.data_ms,
    newestAttachmentId: row.attachment_id,
  };
}
