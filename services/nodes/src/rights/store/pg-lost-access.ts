import type { Queryable } from '@catchment/pg';
import type { DeletedKey } from '../../changes/index.ts';

/** The access that there is in an account, by workspace and user. Placeholders: $1 account, $2 Unix ms. */
const GRANTED = `granted AS (
  SELECT workspace_id, user_id, bool_or('CONFIGURE' = ANY (permissions)) AS configures, bool_or(group_id IS NULL) AS has_own,
    array_remove(array_agg(group_id), NULL) AS group_ids
  FROM user_access WHERE owner_id = $1 AND (expires_ms IS NULL OR expires_ms > $2) GROUP BY workspace_id, user_id
)`;
const HAS_STANDING = 'EXISTS (SELECT FROM standings t WHERE t.owner_id = $1 AND t.user_id = gone.user_id)';
const HAS_ACCESS = 'EXISTS (SELECT FROM granted g WHERE g.user_id = gone.user_id AND g.workspace_id = n.workspace_id)';

/** Drops No Access of users and groups that the workspace does not know any more. */
export async function dropClosings(tx: Queryable, ownerId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH ${GRANTED}
     DELETE FROM closed_nodes gone USING nodes n WHERE gone.owner_id = $1 AND n.node_id = gone.node_id AND CASE
       WHEN gone.user_id IS NOT NULL THEN NOT ${HAS_ACCESS}
       ELSE NOT EXISTS (SELECT FROM workspace_access a WHERE a.group_id = gone.group_id AND a.workspace_id = n.workspace_id
         AND (a.expires_ms IS NULL OR a.expires_ms > $2)) END`,
    [ownerId, nowMs],
    'drop-closings',
  );
}

/** Drops subscriptions of users to nodes that they may not see any more. */
export async function dropSubscriptions(tx: Queryable, ownerId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH RECURSIVE ${GRANTED}, line AS (
       SELECT s.node_id AS start_id, n.node_id, n.parent_id, n.workspace_id
       FROM (SELECT DISTINCT node_id FROM subscriptions WHERE owner_id = $1 AND user_id IS NOT NULL) s JOIN nodes n USING (node_id)
       UNION ALL
       SELECT line.start_id, p.node_id, p.parent_id, p.workspace_id FROM line JOIN nodes p ON p.node_id = line.parent_id
     ), cut_off AS (
       SELECT line.start_id, g.user_id
       FROM line JOIN closed_nodes c USING (node_id) JOIN granted g ON g.workspace_id = line.workspace_id
       WHERE NOT g.configures AND (c.user_id = g.user_id OR (NOT g.has_own AND c.group_id = ANY (g.group_ids)))
       GROUP BY line.start_id, g.user_id, g.group_ids
       HAVING bool_or(c.group_id IS NULL) OR count(DISTINCT c.group_id) = cardinality(g.group_ids)
     )
     DELETE FROM subscriptions gone USING nodes n
     WHERE gone.owner_id = $1 AND gone.user_id IS NOT NULL AND n.node_id = gone.node_id AND NOT ${HAS_STANDING}
       AND (NOT ${HAS_ACCESS} OR EXISTS (SELECT FROM cut_off o WHERE o.start_id = gone.node_id AND o.user_id = gone.user_id))`,
    [ownerId, nowMs],
    'drop-subscriptions',
  );
}

/** Preferences for workspaces without access. */
export async function dropPreferences(tx: Queryable, ownerId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH ${GRANTED}
     DELETE FROM notification_preferences gone USING nodes n
     WHERE gone.owner_id = $1 AND n.node_id = gone.workspace_id AND NOT ${HAS_STANDING} AND NOT ${HAS_ACCESS}`,
    [ownerId, nowMs],
    'drop-preferences',
  );
}

/** Drops keys of people who no longer belong to the account. */
export async function dropKeys(tx: Queryable, ownerId: string, nowMs: number): Promise<DeletedKey[]> {
  const { rows } = await tx.query<DeletedKey>(
    `WITH ${GRANTED}
     DELETE FROM api_keys gone USING users u
     WHERE gone.owner_id = $1 AND u.user_id = gone.user_id AND NOT ${HAS_STANDING}
       AND NOT EXISTS (SELECT FROM granted g WHERE g.user_id = gone.user_id)
     RETURNING gone.owner_id AS "ownerId", gone.label, u.address AS email, gone.key_sha256 AS "sha256"`,
    [ownerId, nowMs],
    'drop-keys',
  );
  return rows;
}
