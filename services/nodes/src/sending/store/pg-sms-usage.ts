import type { Queryable } from '@catchment/pg';
import type { SmsAccount } from '../domain/sms-limit.ts';
import type { FamilyAccount } from '../usecases/ports.ts';

export async function saveCounts(tx: Queryable, monthMs: number, accounts: readonly SmsAccount[]): Promise<void> {
  await tx.query(
    `UPDATE sms_usage s SET count = r.count, told_percent = r.announced
     FROM unnest($2::text[], $3::int[], $4::int[]) AS r (owner_id, count, announced)
     WHERE s.owner_id = r.owner_id AND s.month_ms = $1 AND (s.count, s.told_percent) IS DISTINCT FROM (r.count, r.announced)`,
    [
      monthMs,
      accounts.map(({ ownerId }) => ownerId),
      accounts.map(({ count }) => count),
      accounts.map(({ announcedPercent }) => announcedPercent),
    ],
    'count-sms',
  );
}

type Row = FamilyAccount & { readonly headId: string };

/** Locks the accounts with those that manage them or have the same manager, each family in one list, the manager first. */
export async function lockFamilies(
  tx: Queryable,
  ownerIds: readonly string[],
  monthMs: number,
): Promise<FamilyAccount[][]> {
  const family = `owners o WHERE coalesce(o.parent_owner_id, o.owner_id) IN
    (SELECT coalesce(parent_owner_id, owner_id) FROM owners WHERE owner_id = ANY ($1))`;
  await tx.query(
    `INSERT INTO sms_usage (owner_id, month_ms) SELECT o.owner_id, $2 FROM ${family} ORDER BY o.owner_id ON CONFLICT DO NOTHING`,
    [ownerIds, monthMs],
    'begin-sms-month',
  );
  const { rows: locked } = await tx.query<{ owner_id: string; count: number; told_percent: number }>(
    `SELECT owner_id, count, told_percent FROM sms_usage
     WHERE month_ms = $2 AND owner_id IN (SELECT o.owner_id FROM ${family}) ORDER BY owner_id FOR UPDATE`,
    [ownerIds, monthMs],
    'lock-sms-month',
  );
  const { rows } = await tx.query<Omit<Row, 'count' | 'announcedPercent'>>(
    `SELECT coalesce(o.parent_owner_id, o.owner_id) AS "headId", o.owner_id AS "ownerId", o.account_type AS "accountType", o.status,
       o.sms_limit AS "smsLimit", o.account_name AS "accountName", u.address AS email, u.first_name AS "firstName"
     FROM (SELECT o.* FROM ${family}) o JOIN users u ON u.user_id = o.owner_user_id
     ORDER BY o.parent_owner_id IS NOT NULL, o.owner_id`,
    [ownerIds],
    'sms-accounts',
  );
  const months = new Map(locked.map((row) => [row.owner_id, row]));
  const known = rows.flatMap((row): Row[] => {
    const month = months.get(row.ownerId);
    return month ? [{ ...row, count: month.count, announcedPercent: month.told_percent }] : [];
  });
  return [...Map.groupBy(known, ({ headId }) => headId).values()];
}

export async function uncountSms(tx: Queryable, ownerId: string, monthMs: number): Promise<void> {
  await tx.query(
    'UPDATE sms_usage SET count = count - 1 WHERE owner_id = $1 AND month_ms = $2 AND count > 0',
    [ownerId, monthMs],
    'uncount-sms',
  );
}
