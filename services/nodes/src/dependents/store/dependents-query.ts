import type { Queryable } from '@catchment/pg';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

/** This program may name what changes. */
export type NamingProgram = StoredNode & { readonly parentId: string; readonly code: string };

/** This many programs of an account are looked through, and nodes with links. */
const MAX_PROGRAMS = 1_000;
const MAX_LINKING = 2_000;

const PROGRAMS = ALL_CLASSES.filter(({ attributes }) => Object.hasOwn(attributes, 'process')).map(({ name }) => name);
/** References of these classes must lie in their Workspace. */
const LINKING = ALL_CLASSES.filter(
  ({ kind, attributes }) => ['chart', 'dashboard', 'report'].includes(kind) || Object.hasOwn(attributes, 'rating'),
).map(({ name }) => name);

const BRANCH = `WITH RECURSIVE branch AS (
  SELECT node_id FROM nodes WHERE node_id = $2
  UNION ALL
  SELECT c.node_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
)`;

/**
 * Reads programs whose text, or the shared code of their Workspace, has the name or the customId of a node or a pattern; with `below` those
 * that name nodes by id and those in the node's branch too, whatever they name.
 */
export async function programsNaming(
  on: Queryable,
  { ownerId, nodeId, name, customId }: Pick<StoredNode, 'ownerId' | 'nodeId' | 'name' | 'customId'>,
  below: boolean,
): Promise<NamingProgram[]> {
  const { rows } = await on.query<NodeRow & { parent_id: string; code: string }>(
    `${BRANCH}, texts AS MATERIALIZED (
       SELECT n.node_id, concat_ws(E'\\n', w.config ->> 'sharedCode', n.config -> 'process' ->> 'code') AS code
       FROM nodes n JOIN nodes w ON w.node_id = n.workspace_id
       WHERE n.owner_id = $1 AND n.class = ANY($5) AND n.config -> 'process' ->> 'code' IS NOT NULL
     ) SELECT ${NODE_COLUMNS}, t.code FROM texts t JOIN nodes n USING (node_id)
     WHERE n.parent_id IS NOT NULL AND (position(lower($3) IN lower(t.code)) > 0 OR t.code ~ 'NODES'
       OR position('@' || $6::text IN t.code) > 0
       OR ($4 AND (t.code ~ '[{]' OR n.node_id IN (SELECT node_id FROM branch))))
     ORDER BY n.node_id LIMIT ${MAX_PROGRAMS}`,
    [ownerId, nodeId, name, below, PROGRAMS, customId],
    'programs-naming',
  );
  return rows.map((row) => ({ ...toNode(row), parentId: row.parent_id, code: row.code }));
}

/** Reads nodes of a Workspace that have references, each with whether it lies in the branch. */
export async function linkingNodes(
  on: Queryable,
  { ownerId, nodeId, workspaceId }: Pick<StoredNode, 'ownerId' | 'nodeId' | 'workspaceId'>,
): Promise<(StoredNode & { readonly isInBranch: boolean })[]> {
  const { rows } = await on.query<NodeRow & { in_branch: boolean }>(
    `${BRANCH} SELECT ${NODE_COLUMNS}, n.node_id IN (SELECT node_id FROM branch) AS in_branch
     FROM nodes n WHERE n.owner_id = $1 AND n.workspace_id = $3 AND n.class = ANY($4)
     ORDER BY n.node_id LIMIT ${MAX_LINKING}`,
    [ownerId, nodeId, workspaceId, LINKING],
    'linking-nodes',
  );
  return rows.map((row) => ({ ...toNode(row), isInBranch: row.in_branch }));
}

/** Names of nodes of a Workspace, and whether they lie in the branch; nodes elsewhere are left out. */
export async function targetsIn(
  on: Queryable,
  { ownerId, nodeId, workspaceId }: Pick<StoredNode, 'ownerId' | 'nodeId' | 'workspaceId'>,
  ids: readonly string[],
): Promise<Map<string, { readonly name: string; readonly isInBranch: boolean }>> {
  const { rows } = await on.query<{ node_id: string; name: string; in_branch: boolean }>(
    `${BRANCH} SELECT n.node_id, n.name, n.node_id IN (SELECT node_id FROM branch) AS in_branch
     FROM nodes n WHERE n.owner_id = $1 AND n.workspace_id = $3 AND n.node_id = ANY($4)`,
    [ownerId, nodeId, workspaceId, ids],
    'link-targets',
  );
  return new Map(rows.map((row) => [row.node_id, { name: row.name, isInBranch: row.in_branch }]));
}
