import { notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { Database, Queryable } from '@catchment/pg';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';
import { type RawValue, type StoredAlarm, toRecord } from '../../values/index.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { EDGES, shownQuality } from './shown-quality.ts';
import { REFERENCE_MS, SOURCE_DATA } from './source-data.ts';

/** Rows read at a time of a long list: memory stays at two batches. */
const BATCH_ROWS = 200;

type ViewRow = NodeRow & {
  current_ms: number | null;
  current_value: RawValue | null;
  current_quality: number | null;
  previous_ms: number | null;
  previous_value: RawValue | null;
  previous_quality: number | null;
  oldest_ms: number | null;
  oldest_value: RawValue | null;
  oldest_quality: number | null;
  updated_ms: number | null;
  last_attempt_ms: number | null;
  last_success_ms: number | null;
  total_attempts: number;
  total_successes: number;
  last_record_count: number;
  current_state_id: string | null;
  current_state_ms: number | null;
  alarms: Record<string, StoredAlarm> | null;
  reference_ms: number;
  attachment_id: string | null;
};

/**
 * One query: configuration, current values and alarm status lie side by side
 * (docs/reference/guarantees.md#lists-in-one-query). OFFSET 0 has what belongs to a node looked up by its id: left to
 * choose, PostgreSQL reads these tables whole, with the rows of all accounts, as soon as an account has some thousand nodes.
 * The node's own columns and the qualities as they are shown come after those of `v`, which may be without a row: of two
 * with one name the last counts.
 */
export const VIEW = `SELECT v.*, ${NODE_COLUMNS}, ${EDGES.map((edge) => `${shownQuality(edge)} AS ${edge}_quality`).join(', ')},
    a.current_state_id, a.current_state_ms, a.alarms, ${REFERENCE_MS} AS reference_ms, t.attachment_id
  FROM nodes n
  JOIN owners o ON o.owner_id = n.owner_id
  LEFT JOIN LATERAL (SELECT * FROM node_values own WHERE own.node_id = n.node_id OFFSET 0) v ON TRUE
  LEFT JOIN LATERAL (SELECT * FROM node_alarms own WHERE own.node_id = n.node_id OFFSET 0) a ON TRUE
  ${SOURCE_DATA}
  LEFT JOIN LATERAL (
    SELECT c.node_id AS attachment_id FROM nodes c
    WHERE n.class = 'source.attachment.AttachmentSource' AND c.parent_id = n.node_id AND c.class = 'Attachment'
    ORDER BY c.created_ms DESC, c.node_id DESC LIMIT 1
  ) t ON TRUE`;

/** @throws DomainError not_found */
export async function viewedNode(on: Queryable, nodeId: string): Promise<ViewedNode> {
  const { rows } = await on.query<ViewRow>(`${VIEW} WHERE n.node_id = $1`, [nodeId], 'view-node');
  if (!rows[0]) throw notFound();
  return toViewed(rows[0]);
}

/** The node of the account that a reference names, whatever its workspace: one statement. */
export async function viewedByReference(
  on: Queryable,
  ownerId: string,
  reference: string,
): Promise<ViewedNode | undefined> {
  const ref = parseNodeRef(reference);
  if (!ref) return undefined;
  const { rows } =
    ref.kind === 'id'
      ? await on.query<ViewRow>(`${VIEW} WHERE n.node_id = $1 AND n.owner_id = $2`, [ref.id, ownerId], 'view-by-id')
      : await on.query<ViewRow>(
          `${VIEW} WHERE n.owner_id = $2 AND n.custom_id = $1`,
          [ref.customId, ownerId],
          'view-by-custom-id',
        );
  return rows[0] && toViewed(rows[0]);
}

/** @param rest what follows FROM, with `$n` for values */
export async function* viewedNodes(
  database: Database,
  rest: string,
  values: readonly unknown[],
): AsyncGenerator<ViewedNode[]> {
  for await (const rows of database.stream<ViewRow>(`${VIEW} ${rest}`, values, BATCH_ROWS)) yield rows.map(toViewed);
}

const toViewed = (row: ViewRow): ViewedNode => ({
  ...toNode(row),
  edges: {
    current: toRecord(row.current_ms, row.current_value, row.current_quality),
    previous: toRecord(row.previous_ms, row.previous_value, row.previous_quality),
    oldest: toRecord(row.oldest_ms, row.oldest_value, row.oldest_quality),
  },
  updatedMs: row.updated_ms,
  counters: {
    lastAttemptMs: row.last_attempt_ms,
    lastSuccessMs: row.last_success_ms,
    totalAttempts: row.total_attempts,
    totalSuccesses: row.total_successes,
    lastRecordCount: row.last_record_count,
  },
  reportedStateId: row.current_state_id,
  reportedStateMs: row.current_state_ms,
  alarms: row.alarms ?? {},
  referenceMs: row.reference_ms,
  currentAttachmentId: row.attachment_id,
});
