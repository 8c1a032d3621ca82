import type { Queryable } from '@catchment/pg';
import { countsBySize } from '../../usage/index.ts';

export type AccountRow = {
  owner_id: string;
  slug: string;
  account_name: string;
  account_type: string;
  status: string;
  parent_owner_id: string | null;
  created_ms: number;
  source_limit: number | null;
  sms_limit: number | null;
  row_limit: number | null;
  record_days: number | null;
  event_days: number | null;
  nodes: number;
  attachment_bytes: number;
  attachmentsource: number;
  small: number;
  medium: number;
  large: number;
  sms_count: number;
};

type Page = {
  readonly after: string;
  readonly limit: number;
  readonly search: string;
  readonly monthMs: number;
};

/** Reads accounts by their names, with what each uses by itself: one query for a page. */
export async function readAccounts(on: Queryable, { after, limit, search, monthMs }: Page): Promise<AccountRow[]> {
  const { rows } = await on.query<AccountRow>(
    `WITH page AS (
       SELECT * FROM owners o
       WHERE ($1 = '' OR (lower(o.account_name), o.owner_id) >
               (SELECT lower(p.account_name), p.owner_id FROM owners p WHERE p.owner_id = $1))
         AND ($3 = '' OR strpos(lower(o.account_name), $3) > 0 OR starts_with(o.slug, $3))
       ORDER BY lower(o.account_name), o.owner_id LIMIT $2
     ), sources AS (
       SELECT s.owner_id, s.class LIKE 'source.data.%' AS is_data,
         (SELECT count(*) FROM nodes p WHERE p.parent_id = s.node_id AND p.class LIKE 'point.%' AND p.is_active) AS parameters
       FROM nodes s JOIN nodes w ON w.node_id = s.workspace_id
       WHERE s.owner_id IN (SELECT owner_id FROM page) AND s.class LIKE 'source.%' AND w.class = 'Workspace'
         AND s.config -> 'isEnabled' IS DISTINCT FROM 'false'::jsonb
     ), counted AS (
       SELECT owner_id, count(*) FILTER (WHERE NOT is_data) AS attachmentsource,
         ${countsBySize('is_data', 'parameters')}
       FROM sources GROUP BY owner_id
     )
     SELECT a.owner_id, a.slug, a.account_name, a.account_type, a.status, a.parent_owner_id,
       (extract(epoch FROM a.created_at) * 1000)::float8 AS created_ms,
       a.source_limit, a.sms_limit, a.row_limit, a.record_days, a.event_days,
       coalesce(c.attachmentsource, 0) AS attachmentsource, coalesce(c.small, 0) AS small,
       coalesce(c.medium, 0) AS medium, coalesce(c.large, 0) AS large,
       (SELECT count(*) FROM nodes n WHERE n.owner_id = a.owner_id) AS nodes,
       (SELECT coalesce(sum(f.size_bytes), 0)::bigint FROM files f WHERE f.owner_id = a.owner_id AND NOT f.is_removing)
         AS attachment_bytes,
       (SELECT coalesce(sum(m.count), 0)::int FROM sms_usage m WHERE m.owner_id = a.owner_id AND m.month_ms = $4) AS sms_count
     FROM page a LEFT JOIN counted c USING (owner_id)
     ORDER BY lower(a.account_name), a.owner_id`,
    [after, limit, search, monthMs],
    'all-accounts',
  );
  return rows;
}

export type BackupRow = { finished_ms: number; took_ms: number; size_bytes: number };

const MAX_BACKUPS = 10;

/** Reads backups that were finished, the newest first. */
export async function readBackups(on: Queryable): Promise<BackupRow[]> {
  const { rows } = await on.query<BackupRow>(
    `SELECT extract(epoch FROM finished_time)::float8 * 1000 AS finished_ms, size_bytes::float8 AS size_bytes,
       extract(epoch FROM finished_time - started_time)::float8 * 1000 AS took_ms
     FROM backups ORDER BY finished_time DESC LIMIT $1`,
    [MAX_BACKUPS],
    'all-backups',
  );
  return rows;
}
