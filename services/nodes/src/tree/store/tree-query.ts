import type { Scope } from '@catchment/access';
import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';
import { withoutClosed } from '../../rights/index.ts';

/** A move needs this of a node in a branch. */
export type BranchNode = {
  readonly nodeId: string;
  readonly parentId: string | null;
  readonly class: string;
  /** Device that its transport names. */
  readonly deviceId: string | null;
  /** The node is the root of an instance of a template. */
  readonly isInstance: boolean;
};

/** Reads the node and all below it, parents before their children. */
export async function branchByDepth(on: Queryable, nodeId: string): Promise<BranchNode[]> {
  const { rows } = await on.query<{
    node_id: string;
    parent_id: string | null;
    class: string;
    device: string | null;
    is_instance: boolean;
  }>(
    `WITH RECURSIVE branch AS (
       SELECT node_id, parent_id, class, config -> 'transport' ->> 'deviceId' AS device, instance_id, 0 AS depth
       FROM nodes WHERE node_id = $1
       UNION ALL
       SELECT c.node_id, c.parent_id, c.class, c.config -> 'transport' ->> 'deviceId', c.instance_id, branch.depth + 1
       FROM branch JOIN nodes c ON c.parent_id = branch.node_id
     ) SELECT node_id, parent_id, class, device, instance_id IS NOT DISTINCT FROM node_id AS is_instance
     FROM branch ORDER BY depth`,
    [nodeId],
    'branch-by-depth',
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    parentId: row.parent_id,
    class: row.class,
    deviceId: row.device,
    isInstance: row.is_instance,
  }));
}

/** Reads parameters below a node, but those closed to the scope's user; at most `limit`, the oldest first. */
export async function parametersBelow(on: Queryable, scope: Scope, nodeId: string, limit: number): Promise<string[]> {
  const values: unknown[] = [nodeId, limit];
  const open = withoutClosed(scope, 'branch.node_id', values);
  const { rows } = await on.query<{ node_id: string }>(
    `WITH RECURSIVE branch AS (
       SELECT node_id, class FROM nodes WHERE node_id = $1
       UNION ALL
       SELECT c.node_id, c.class FROM branch JOIN nodes c ON c.parent_id = branch.node_id
     ) SELECT node_id FROM branch WHERE class LIKE 'point.%'${open} ORDER BY node_id LIMIT $2`,
    values,
  );
  return rows.map((row) => row.node_id);
}

/** Returns whether following the inputs of ratings from a node leads to another (or the same) one. */
export async function isFedBy(on: Queryable, nodeId: string, inputNodeId: string): Promise<boolean> {
  const { rows } = await on.query(
    `WITH RECURSIVE inputs AS (
       SELECT $2::text COLLATE "C" AS node_id
       UNION
       SELECT n.config -> 'rating' ->> 'inputNodeId'
       FROM inputs JOIN nodes n USING (node_id) WHERE n.config -> 'rating' ->> 'inputNodeId' IS NOT NULL
     ) SELECT 1 FROM inputs WHERE node_id = $1 LIMIT 1`,
    [nodeId, inputNodeId],
    'is-fed-by',
  );
  return rows.length > 0;
}

/** Reads `nameKey` of all nodes directly under a parent; null = the account's workspaces. */
export async function namesUnder(on: Queryable, ownerId: string, parentId: string | null): Promise<Set<string>> {
  const { rows } = await on.query<{ name_key: string }>(
    `SELECT name_key FROM nodes WHERE owner_id = $1 AND parent_id IS NOT DISTINCT FROM $2`,
    [ownerId, parentId],
    'names-under',
  );
  return new Set(rows.map((row) => row.name_key));
}

/** Reads Workspaces in which other nodes of the account than `nodeId` use a device. */
export async function deviceWorkspaces(
  on: Queryable,
  { nodeId, ownerId }: { readonly nodeId: string; readonly ownerId: string },
  deviceId: string,
): Promise<string[]> {
  const { rows } = await on.query<{ workspace_id: string }>(
    `SELECT DISTINCT workspace_id FROM nodes
     WHERE owner_id = $1 AND config -> 'transport' ->> 'deviceId' = $2 AND node_id <> $3 LIMIT 10`,
    [ownerId, deviceId, nodeId],
    'device-workspaces',
  );
  return rows.map((row) => row.workspace_id);
}

/** Finds the Location of the account whose coordinates come from a source, by the index of what follows it (`OFFSET 0`). */
export async function locationOfSource(on: Queryable, ownerId: string, sourceId: string): Promise<string | undefined> {
  const { rows } = await on.query<{ node_id: string | null }>(
    `SELECT min(node_id) AS node_id
     FROM (SELECT node_id, owner_id FROM nodes WHERE config ->> 'coordinateSourceId' = $1 OFFSET 0) followers WHERE owner_id = $2`,
    [sourceId, ownerId],
    'location-of-source',
  );
  return rows[0]?.node_id ?? undefined;
}

/** Reads the nodes within a scope that references name, in no order; malformed and unknown ones are left out. */
export async function nodesByRefs(on: Queryable, scope: Scope, references: readonly string[]): Promise<StoredNode[]> {
  const { ownerId, workspaceIds } = scope;
  const refs = references.flatMap((reference) => parseNodeRef(reference) ?? []);
  if (refs.length === 0) return [];
  const values: unknown[] = [
    ownerId,
    refs.flatMap((ref) => (ref.kind === 'id' ? ref.id : [])),
    refs.flatMap((ref) => (ref.kind === 'customId' ? ref.customId : [])),
    workspaceIds ?? null,
  ];
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n
     WHERE n.owner_id = $1 AND (n.node_id = ANY($2) OR n.custom_id = ANY($3))
       AND ($4::text[] IS NULL OR n.workspace_id = ANY($4))${withoutClosed(scope, 'n.node_id', values)}`,
    values,
    scope.closedTo ? undefined : 'nodes-by-refs',
  );
  return rows.map(toNode);
}
