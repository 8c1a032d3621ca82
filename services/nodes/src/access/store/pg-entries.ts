import type { Queryable } from '@catchment/pg';
import type { Place, PrincipalColumn } from '../../rights/index.ts';
import type { EndedEntry, NewEntry } from '../usecases/ports.ts';

export async function saveEntries(
  tx: Queryable,
  { ownerId, workspaceId }: Pick<Place, 'ownerId' | 'workspaceId'>,
  column: PrincipalColumn,
  entries: readonly NewEntry[],
): Promise<void> {
  await tx.query(
    `INSERT INTO workspace_access (owner_id, workspace_id, ${column}, role_id, expires_ms)
     SELECT $1, $2, id, role_id, expires_ms
     FROM unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY AS r(id, role_id, expires_ms, n) ORDER BY n
     ON CONFLICT (workspace_id, ${column}) DO UPDATE SET role_id = excluded.role_id, expires_ms = excluded.expires_ms`,
    [
      ownerId,
      workspaceId,
      entries.map(({ id }) => id),
      entries.map(({ roleId }) => roleId),
      entries.map(({ expiresMs }) => expiresMs),
    ],
  );
}

export async function deleteEntries(
  tx: Queryable,
  workspaceId: string,
  userIds: readonly string[],
  groupIds: readonly string[],
): Promise<void> {
  await tx.query(
    'DELETE FROM workspace_access WHERE workspace_id = $1 AND (user_id = ANY ($2) OR group_id = ANY ($3))',
    [workspaceId, userIds, groupIds],
    'delete-access',
  );
}

export async function closeNode(
  tx: Queryable,
  ownerId: string,
  nodeId: string,
  column: PrincipalColumn,
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    `INSERT INTO closed_nodes (owner_id, node_id, ${column}) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`,
    [ownerId, nodeId, ids],
  );
}

export async function openNode(
  tx: Queryable,
  nodeId: string,
  userIds: readonly string[],
  groupIds: readonly string[],
): Promise<void> {
  await tx.query(
    'DELETE FROM closed_nodes WHERE node_id = $1 AND (user_id = ANY ($2) OR group_id = ANY ($3))',
    [nodeId, userIds, groupIds],
    'open-node',
  );
}

export async function takeEnded(tx: Queryable, ownerId: string, nowMs: number, limit: number): Promise<EndedEntry[]> {
  const { rows } = await tx.query<{ workspace_id: string; email: string | null; name: string | null }>(
    `WITH ended AS (
       DELETE FROM workspace_access WHERE entry_id IN (
         SELECT entry_id FROM workspace_access WHERE owner_id = $1 AND expires_ms <= $2 ORDER BY expires_ms, entry_id LIMIT $3)
       RETURNING entry_id, workspace_id, user_id, group_id
     ) SELECT e.workspace_id, u.address AS email, g.name
     FROM ended e LEFT JOIN users u USING (user_id) LEFT JOIN user_groups g USING (group_id) ORDER BY e.entry_id`,
    [ownerId, nowMs, limit],
    'take-ended-access',
  );
  return rows.map((row) => ({ workspaceId: row.workspace_id, email: row.email, group: row.name }));
}
