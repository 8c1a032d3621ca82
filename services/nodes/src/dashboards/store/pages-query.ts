import type { Queryable } from '@catchment/pg';

export type PublicNode = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly class: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly accountStatus: string;
  readonly accountType: string;
};

/** Finds the node that has a public id, with what decides whether it is shown: one look into a unique index. */
export async function publicNode(on: Queryable, publicId: string): Promise<PublicNode | undefined> {
  const { rows } = await on.query<PublicNode>(
    `SELECT n.node_id AS "nodeId", n.owner_id AS "ownerId", n.workspace_id AS "workspaceId", n.class, n.name,
       coalesce((n.config ->> 'isPublic')::boolean, FALSE) AS "isPublic",
       o.status AS "accountStatus", o.account_type AS "accountType"
     FROM nodes n JOIN owners o USING (owner_id) WHERE n.public_id = $1`,
    [publicId],
    'public-node',
  );
  return rows[0];
}

export type PageAccount = {
  readonly accountName: string;
  readonly slug: string;
  readonly timezone: string;
  readonly timezoneAdjustForDst: boolean;
  readonly timeFormat: string;
};

/** Reads the account of a page, and how the person who looks at it reads times: as the account's owner does where nobody is known. */
export async function pageAccount(on: Queryable, ownerId: string, userId: string): Promise<PageAccount | undefined> {
  const { rows } = await on.query<PageAccount>(
    `SELECT o.account_name AS "accountName", o.slug, coalesce(u.timezone, h.timezone, 'Etc/UTC') AS timezone,
       coalesce(u.timezone_adjust_for_dst, h.timezone_adjust_for_dst) AS "timezoneAdjustForDst",
       coalesce(u.time_format, h.time_format) AS "timeFormat"
     FROM owners o JOIN users h ON h.user_id = o.owner_user_id LEFT JOIN users u ON u.user_id = $2
     WHERE o.owner_id = $1`,
    [ownerId, userId],
    'page-account',
  );
  return rows[0];
}
