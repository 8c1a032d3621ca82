import type { Queryable } from '@catchment/pg';
import { accessOf, type Entry, type PersonAccess } from '../../rights/index.ts';
import type { ChannelName } from '../domain/channel-name.ts';

/** Somebody is to hear of a category at a node, and how. */
export type Recipient = {
  readonly nodeId: string;
  readonly categoryId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName: string;
  /** The zone is the person's, else that of the account's owner, else Etc/UTC. */
  readonly timezone: string;
  readonly timezoneAdjustForDst: boolean;
  readonly timeFormat: string;
  /** SMS go to `+` and digits; null = none. */
  readonly phone: string | null;
  readonly byEmail: boolean;
  readonly bySms: boolean;
};

/** Returns whether a message goes to somebody by a channel. */
export const isReached = ({ phone, byEmail, bySms }: Recipient, channel: ChannelName): boolean =>
  channel === 'email' ? byEmail : bySms && phone !== null;

/**
 * The subject is a category at a node; or, with an empty category, a message that a person has written to named people
 * there, or a report, which goes to its subscribers whatever their categories.
 */
export type Subject = {
  readonly nodeId: string;
  readonly categoryId: string;
  readonly userIds?: readonly string[];
  readonly isReport?: true;
};

type Row = Recipient & Pick<PersonAccess, 'standing' | 'isClosed' | 'groups'> & { readonly own: Entry | null };

/**
 * Finds who hears of categories at nodes at this moment (docs/reference/notifications.md#recipients-and-content):
 * subscribers and members of subscribed groups, each once, who are active, may see the node, and have the category
 * switched on. A written message goes to the people that it names, by any channel, subscribed or not; a report goes by
 * e-mail to subscribers who have not stopped it. One query serves all of them; the rows of a node are those of its
 * account. Nobody hears anything of a disabled account.
 */
export async function recipientsOf(on: Queryable, subjects: readonly Subject[], nowMs: number): Promise<Recipient[]> {
  if (subjects.length === 0) return [];
  const named = subjects.flatMap(({ nodeId, userIds = [] }) => userIds.map((userId) => ({ nodeId, userId })));
  const { rows } = await on.query<Row>(
    `WITH RECURSIVE subject AS (
       SELECT DISTINCT s.node_id, s.category_id, n.owner_id, n.workspace_id, h.timezone
       FROM unnest($1::text[], $2::text[]) AS s (node_id, category_id) JOIN nodes n USING (node_id)
       JOIN owners o ON o.owner_id = n.owner_id AND o.status = 'ACTIVE' JOIN users h ON h.user_id = o.owner_user_id
     ), line AS (
       SELECT DISTINCT n.node_id AS of_node, n.node_id, n.parent_id FROM subject JOIN nodes n USING (node_id)
       UNION ALL
       SELECT line.of_node, p.node_id, p.parent_id FROM line JOIN nodes p ON p.node_id = line.parent_id
     ), subscriber AS (
       SELECT s.node_id, s.user_id FROM subscriptions s WHERE s.node_id = ANY ($1) AND s.user_id IS NOT NULL
       UNION
       SELECT s.node_id, m.user_id FROM subscriptions s JOIN user_group_members m USING (group_id) WHERE s.node_id = ANY ($1)
     ), addressee AS (
       SELECT q.node_id, q.category_id, s.user_id, p.email, p.sms
       FROM subject q JOIN subscriber s USING (node_id)
       JOIN notification_preferences p ON p.workspace_id = q.workspace_id AND p.user_id = s.user_id AND p.category_id = q.category_id
       UNION ALL
       SELECT DISTINCT node_id, '', user_id, true, true FROM unnest($4::text[], $5::text[]) AS n (node_id, user_id)
       UNION ALL
       SELECT s.node_id, '', s.user_id, true, false FROM subscriber s WHERE s.node_id = ANY ($6)
         AND NOT EXISTS (SELECT FROM stopped_reports t WHERE t.node_id = s.node_id AND t.user_id = s.user_id)
     ), closed AS (
       SELECT line.of_node AS node_id, c.user_id, c.group_id FROM line JOIN closed_nodes c USING (node_id)
     )
     SELECT q.node_id AS "nodeId", q.category_id AS "categoryId", u.user_id AS "userId", q.workspace_id AS "workspaceId", u.address AS email,
       u.first_name AS "firstName", coalesce(u.timezone, q.timezone, 'Etc/UTC') AS timezone, u.timezone_adjust_for_dst AS "timezoneAdjustForDst", u.time_format AS "timeFormat",
       CASE WHEN u.phone ~ '^[+][0-9]{7,15}$' THEN u.phone END AS phone, d.email AS "byEmail", d.sms AS "bySms",
       (SELECT standing FROM standings t WHERE t.owner_id = q.owner_id AND t.user_id = u.user_id
        ORDER BY array_position(ARRAY['OWNER', 'ADMINISTRATOR', 'MANAGER'], standing) LIMIT 1) AS standing,
       (SELECT jsonb_build_object('role', a.role, 'permissions', a.permissions, 'expiresMs', a.expires_ms) FROM user_access a
        WHERE a.workspace_id = q.workspace_id AND a.owner_id = q.owner_id AND a.user_id = u.user_id AND a.group_id IS NULL
          AND (a.expires_ms IS NULL OR a.expires_ms > $3)) AS own,
       EXISTS (SELECT FROM closed c WHERE c.node_id = q.node_id AND c.user_id = u.user_id) AS "isClosed",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('permissions', a.permissions, 'isClosed',
          EXISTS (SELECT FROM closed c WHERE c.node_id = q.node_id AND c.group_id = a.group_id))), '[]') FROM user_access a
        WHERE a.workspace_id = q.workspace_id AND a.owner_id = q.owner_id AND a.user_id = u.user_id AND a.group_id IS NOT NULL
          AND (a.expires_ms IS NULL OR a.expires_ms > $3)) AS groups
     FROM subject q
     JOIN addressee d USING (node_id, category_id)
     JOIN users u ON u.user_id = d.user_id AND u.activated_at IS NOT NULL
     ORDER BY q.node_id, q.category_id, u.user_id`,
    [
      subjects.map(({ nodeId }) => nodeId),
      subjects.map(({ categoryId }) => categoryId),
      nowMs,
      named.map(({ nodeId }) => nodeId),
      named.map(({ userId }) => userId),
      subjects.filter(({ isReport }) => isReport).map(({ nodeId }) => nodeId),
    ],
    'recipients',
  );
  return rows
    .filter((row) => accessOf(row).effective.includes('VIEW'))
    .map(({ standing: _standing, own: _own, isClosed: _isClosed, groups: _groups, ...recipient }) => recipient);
}
