import type { Queryable } from '@catchment/pg';
import { countsBySize } from './source-sizes.ts';

/** A Workspace or a source takes so much: sources are rated as `GET /owners/account/usage` counts them. */
export type NodeUse = {
  readonly nodeId: string;
  readonly name: string;
  /** null = it is a Workspace itself. */
  readonly workspaceId: string | null;
  readonly attachmentsource: number;
  readonly small: number;
  readonly medium: number;
  readonly large: number;
  /** Parameters of the rated sources. */
  readonly parameters: number;
  /** Attachments take so much; each that shares a file counts it. */
  readonly attachmentBytes: number;
};

type Row = Omit<NodeUse, 'nodeId' | 'workspaceId' | 'attachmentBytes'> & {
  node_id: string;
  workspace_id: string | null;
  attachment_bytes: number;
};

/** Sources of an account with their parameters and bytes; those of templates are left out. */
const SOURCES = `
sources AS (
  SELECT s.node_id, s.name, s.workspace_id, s.class LIKE 'source.data.%' AS is_data,
    s.config -> 'isEnabled' IS DISTINCT FROM 'false'::jsonb AS is_rated,
    (SELECT count(*) FROM nodes p WHERE p.parent_id = s.node_id AND p.class LIKE 'point.%' AND p.is_active) AS parameters
  FROM nodes s JOIN nodes w ON w.node_id = s.workspace_id
  WHERE s.owner_id = $1 AND s.class LIKE 'source.%' AND w.class = 'Workspace'
), bytes AS (
  SELECT n.workspace_id, n.parent_id, sum(f.size_bytes)::bigint AS bytes
  FROM nodes n JOIN files f ON f.file_id = n.config -> 'file' ->> 'id'
  WHERE n.owner_id = $1 AND n.config -> 'file' ->> 'id' IS NOT NULL AND NOT f.is_removing
  GROUP BY n.workspace_id, n.parent_id
)`;

const KINDS = `
  count(*) FILTER (WHERE s.is_rated AND NOT s.is_data)::int AS attachmentsource,
  ${countsBySize('s.is_rated AND s.is_data', 's.parameters')},
  coalesce(sum(s.parameters) FILTER (WHERE s.is_rated), 0)::int AS parameters`;

/** Reads all Workspaces of an account, by name. */
export async function useOfWorkspaces(on: Queryable, ownerId: string, limit: number): Promise<NodeUse[]> {
  const { rows } = await on.query<Row>(
    `WITH ${SOURCES}
     SELECT w.node_id, w.name, NULL AS workspace_id, ${KINDS},
       (SELECT coalesce(sum(b.bytes), 0)::bigint FROM bytes b WHERE b.workspace_id = w.node_id) AS attachment_bytes
     FROM nodes w LEFT JOIN sources s ON s.workspace_id = w.node_id
     WHERE w.owner_id = $1 AND w.class = 'Workspace'
     GROUP BY w.node_id, w.name ORDER BY lower(w.name), w.node_id LIMIT $2`,
    [ownerId, limit],
    'use-of-workspaces',
  );
  return rows.map(toUse);
}

/** Reads the sources of an account that take most: by parameters, then by bytes. */
export async function largestSources(on: Queryable, ownerId: string, limit: number): Promise<NodeUse[]> {
  const { rows } = await on.query<Row>(
    `WITH ${SOURCES}
     SELECT s.node_id, s.name, s.workspace_id, ${KINDS},
       (SELECT coalesce(sum(b.bytes), 0)::bigint FROM bytes b WHERE b.parent_id = s.node_id) AS attachment_bytes
     FROM sources s GROUP BY s.node_id, s.name, s.workspace_id
     ORDER BY parameters DESC, attachment_bytes DESC, lower(s.name), s.node_id LIMIT $2`,
    [ownerId, limit],
    'largest-sources',
  );
  return rows.map(toUse);
}

const toUse = ({
  node_id: nodeId,
  workspace_id: workspaceId,
  attachment_bytes: attachmentBytes,
  ...counts
}: Row): NodeUse => ({
  ...counts,
  nodeId,
  workspaceId,
  attachmentBytes,
});
