import type { Queryable } from '@catchment/pg';
import { readOwner } from '../../changes/index.ts';
import { smsLimitOf } from '../../sending/index.ts';
import type { AccountUse, UsageLimits } from '../domain/usage.ts';
import { countsBySize } from './source-sizes.ts';

type UseRow = {
  owner_id: string;
  account_name: string;
  account_type: string;
  status: string;
  attachmentsource: number;
  small: number;
  medium: number;
  large: number;
  attachment_bytes: number;
  sms_count: number;
};

/**
 * Use of an account and of those that it manages, itself first; disabled sources and those of templates left out.
 * @param monthMs begin of the month whose SMS count; null = none
 */
export async function readUse(
  on: Queryable,
  ownerId: string,
  monthMs: number | null,
): Promise<{ accounts: AccountUse[]; limits: UsageLimits }> {
  const owner = await readOwner(on, ownerId);
  const { rows } = await on.query<UseRow>(
    `WITH accounts AS (
       SELECT owner_id, account_name, account_type, status FROM owners WHERE owner_id = $1 OR parent_owner_id = $1
     ), sources AS (
       SELECT s.owner_id, s.class LIKE 'source.data.%' AS is_data,
         (SELECT count(*) FROM nodes p WHERE p.parent_id = s.node_id AND p.class LIKE 'point.%' AND p.is_active) AS parameters
       FROM nodes s JOIN nodes w ON w.node_id = s.workspace_id
       WHERE s.owner_id IN (SELECT owner_id FROM accounts) AND s.class LIKE 'source.%' AND w.class = 'Workspace'
         AND s.config -> 'isEnabled' IS DISTINCT FROM 'false'::jsonb
     )
     SELECT a.*, count(*) FILTER (WHERE NOT s.is_data) AS attachmentsource,
       ${countsBySize('s.is_data', 's.parameters')},
       (SELECT coalesce(sum(f.size_bytes), 0)::bigint FROM files f WHERE f.owner_id = a.owner_id AND NOT f.is_removing)
         AS attachment_bytes,
       (SELECT coalesce(sum(m.count), 0)::int FROM sms_usage m WHERE m.owner_id = a.owner_id AND m.month_ms = $2) AS sms_count
     FROM accounts a LEFT JOIN sources s USING (owner_id)
     GROUP BY a.owner_id, a.account_name, a.account_type, a.status
     ORDER BY a.owner_id <> $1, lower(a.account_name), a.owner_id`,
    [ownerId, monthMs],
    'read-use',
  );
  return {
    accounts: rows.map(({ owner_id, account_name, account_type, status, attachment_bytes, sms_count, ...sources }) => ({
      ownerId: owner_id,
      accountName: account_name,
      accountType: account_type,
      status,
      sources,
      smsCount: sms_count,
      attachmentBytes: attachment_bytes,
    })),
    limits: {
      sourceLimit: owner.source_limit,
      smsLimit: smsLimitOf({ accountType: owner.account_type, smsLimit: owner.sms_limit }),
    },
  };
}
