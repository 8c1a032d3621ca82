import type { Scope } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { Database, Queryable } from '@catchment/pg';
import { type NodeRow, toNode } from '../../nodes/index.ts';
import { isClosed, withoutClosed } from '../../rights/index.ts';
import { type Edge, type RawValue, shownOf, toEdges, toShown, type ValuesRow } from '../../shown/index.ts';
import type { StoredAlarm } from '../../values/index.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import type { NodeSelection } from './node-list-query.ts';
import { shownQuality } from './shown-quality.ts';
import { SOURCE_DATA } from './source-data-query.ts';

/** A long list is read by this many rows at a time: memory stays at two batches. */
const BATCH_ROWS = 500;

type OfSource = Pick<ViewedNode, 'counters' | 'logger'> & { readonly session: string | null };

type ViewRow = NodeRow &
  ValuesRow & {
    updated_ms: number | null;
    of_source: OfSource | null;
    control_value: RawValue | null;
    current_state_id: string | null;
    alarms: Record<string, StoredAlarm> | null;
    data_ms: number;
    /** An attachment source, or the image source of a Location, has this newest attachment. */
    attachment_id: string | null;
  };

/** These write JSON of an id or a word of ours, which needs no escapes; of any other text; of numbers, truth values and documents. */
const word = (sql: string): string => `coalesce('"' || ${sql} || '"', 'null')`;
const text = (sql: string): string => `coalesce(to_json(${sql})::text, 'null')`;
const json = (sql: string): string => `coalesce(${sql}::text, 'null')`;

const edgeFields = <E extends Edge>(edge: E) =>
  ({
    [`${edge}_ms`]: json(`v.${edge}_ms`),
    [`${edge}_value`]: json(`v.${edge}_value`),
    [`${edge}_quality`]: json(shownQuality(edge)),
    [`${edge}_number`]: json(`v.${edge}_number`),
    [`${edge}_state`]: word(`v.${edge}_state`),
  }) as Record<`${E}_${'ms' | 'value' | 'quality' | 'number' | 'state'}`, string>;

const FIELDS: Readonly<Record<keyof ViewRow, string>> = {
  node_id: word('n.node_id'),
  owner_id: word('n.owner_id'),
  workspace_id: word('n.workspace_id'),
  parent_id: word('n.parent_id'),
  class: word('n.class'),
  name: text('n.name'),
  custom_id: text('n.custom_id'),
  series_key: text('n.series_key'),
  public_id: word('n.public_id'),
  is_active: json('n.is_active'),
  created_ms: json('n.created_ms'),
  revision: json('n.revision'),
  config: json('n.config'),
  template_node_id: word('n.template_node_id'),
  instance_id: word('n.instance_id'),
  ...edgeFields('current'),
  ...edgeFields('previous'),
  ...edgeFields('oldest'),
  status: text('v.status'),
  is_stale: json('v.is_stale'),
  updated_ms: json('v.updated_ms'),
  of_source: json(`CASE WHEN n.class LIKE 'source.%' THEN json_build_object(
    'counters', json_build_object('lastAttemptMs', v.last_attempt_ms, 'lastSuccessMs', v.last_success_ms, 'totalAttempts', v.total_attempts,
      'totalSuccesses', v.total_successes, 'lastRecordCount', v.last_record_count),
    'logger', json_build_object('model', v.logger_model, 'firmwareVersion', v.logger_firmware, 'progName', v.logger_program),
    'session', v.session_status) END`),
  control_value: json('v.control_value'),
  current_state_id: text('a.current_state_id'),
  alarms: json('a.alarms'),
  data_ms: json('d.data_ms'),
  attachment_id: word('t.attachment_id'),
};

/**
 * A row comes as one JSON array, in the order of the fields: the driver takes longer for 45 columns than all else that a list does
 * (bench/README.md#nodes).
 */
const COLUMN = `concat('[', concat_ws(',', ${Object.values(FIELDS).join(', ')}), ']') AS shown`;
type Fetched = { readonly shown: string };

const NAMES = Object.keys(FIELDS) as (keyof ViewRow)[];
const NO_ROW = Object.fromEntries(NAMES.map((name) => [name, null]));

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
export const VIEW = `SELECT ${COLUMN} ${FROM}`;

/** @throws DomainError not_found */
export async function viewedNode(on: Queryable, nodeId: string): Promise<ViewedNode> {
  const { rows } = await on.query<Fetched>(`${VIEW} WHERE n.node_id = $1`, [nodeId], 'view-node');
  if (!rows[0]) throw notFound();
  return toViewed(rows[0]);
}

/** Reads nodes of the account by their ids. */
export async function viewedByIds(
  on: Queryable,
  ownerId: string,
  nodeIds: readonly string[],
): Promise<Map<string, ViewedNode>> {
  const { rows } = await on.query<Fetched>(
    `${VIEW} WHERE n.node_id = ANY($1) AND n.owner_id = $2`,
    [nodeIds, ownerId],
    'view-by-ids',
  );
  return byId(rows);
}

/** Reads those of the nodes that lie in a workspace and are not closed to a scope: one statement. */
export async function viewedInWorkspace(
  on: Queryable,
  scope: Scope,
  workspaceId: string,
  nodeIds: readonly string[],
): Promise<Map<string, ViewedNode>> {
  if (nodeIds.length === 0) return new Map();
  const values: unknown[] = [nodeIds, scope.ownerId, workspaceId];
  const { rows } = await on.query<Fetched>(
    `${VIEW} WHERE n.node_id = ANY($1) AND n.owner_id = $2 AND n.workspace_id = $3${withoutClosed(scope, 'n.node_id', values)}`,
    values,
    `view-in-workspace${scope.closedTo ? '-unless-closed' : ''}`,
  );
  return byId(rows);
}

/**
 * Reads the node of the account that a reference names, whatever its workspace, and whether it is closed to the caller: one
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
  const { rows } = await on.query<Fetched & { is_closed: boolean }>(
    `SELECT ${COLUMN}, ${isClosed(scope, 'n.node_id', values)} AS is_closed ${FROM} WHERE ${found} = $1 AND n.owner_id = $2`,
    values,
    `view-by-${ref.kind}${scope.closedTo ? '-unless-closed' : ''}`,
  );
  return rows[0] && { node: toViewed(rows[0]), isClosed: rows[0].is_closed };
}

/** Reads the nodes that some references name within a scope, in no order: one statement. */
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
  const { rows } = await on.query<Fetched>(
    `${VIEW} WHERE n.owner_id = $1 AND (n.node_id = ANY($2) OR n.custom_id = ANY($3))
       AND ($4::text[] IS NULL OR n.workspace_id = ANY($4))${withoutClosed(scope, 'n.node_id', values)}`,
    values,
    scope.closedTo ? undefined : 'view-by-references',
  );
  return rows.map(toViewed);
}

/**
 * Nodes in batches, each to be read when it is used: what is read of a whole batch would outlive collections of the young generation.
 */
export async function* viewedNodes(
  database: Database,
  { rest, values }: NodeSelection,
): AsyncGenerator<readonly Fetched[]> {
  yield* database.stream<Fetched>(`${VIEW} ${rest}`, values, BATCH_ROWS);
}

function byId(rows: readonly Fetched[]): Map<string, ViewedNode> {
  return new Map(rows.map(toViewed).map((node) => [node.nodeId, node]));
}

function toRow({ shown }: Fetched): ViewRow {
  const values = JSON.parse(shown) as unknown[];
  const row: Record<string, unknown> = { ...NO_ROW };
  for (let n = 0; n < NAMES.length; n += 1) row[NAMES[n]!] = values[n];
  return row as ViewRow;
}

export function toViewed(fetched: Fetched): ViewedNode {
  const row = toRow(fetched);
  const [node, edges] = [toNode(row), toEdges(row)];
  const { current_state_id: reported } = row;
  const { session, counters, logger } = row.of_source ?? NO_SOURCE;
  return {
    ...node,
    edges,
    shown: row.is_stale === false ? toShown(row) : shownOf({ ...node, reported, session }, edges),
    updatedMs: row.updated_ms,
    counters,
    logger,
    controlValue: row.control_value,
    alarms: row.alarms ?? {},
    dataMs: row.data_ms,
    newestAttachmentId: row.attachment_id,
  };
}

const NO_SOURCE: OfSource = {
  counters: { lastAttemptMs: null, lastSuccessMs: null, totalAttempts: 0, totalSuccesses: 0, lastRecordCount: 0 },
  logger: { model: null, firmwareVersion: null, progName: null },
  session: null,
};
