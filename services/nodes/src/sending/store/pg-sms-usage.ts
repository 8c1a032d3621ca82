import type { Queryable } from '@catchment/pg';
import { type LimitNews, type SmsAccount, smsGrant } from '../domain/sms-limit.ts';

/** News for the owner of an account, who is to get a mail. */
export type OwnerNews = LimitNews & {
  readonly email: string;
  readonly firstName: string;
  readonly accountName: string;
};

type Row = SmsAccount & {
  readonly headId: string;
  readonly accountName: string;
  readonly email: string;
  readonly firstName: string;
};

/**
 * Counts SMS that are about to be sent, as many as the limits of their accounts allow (docs/reference/notifications.md#limits-of-sms).
 * Other transactions about these accounts, and those that manage them, wait for this one.
 * @param wanted by account
 * @returns how many may be sent, by account, and whose owner is to hear of it
 */
export async function countSms(
  tx: Queryable,
  wanted: ReadonlyMap<string, number>,
  monthMs: number,
): Promise<{ readonly granted: ReadonlyMap<string, number>; readonly news: readonly OwnerNews[] }> {
  const granted = new Map<string, number>();
  const news: OwnerNews[] = [];
  if (wanted.size === 0) return { granted, news };
  const families = await lockFamilies(tx, [...wanted.keys()], monthMs);
  for (const [ownerId, count] of wanted) {
    const family = families.find((rows) => rows.some((row) => row.ownerId === ownerId)) ?? [];
    const grant = smsGrant(family, ownerId, count);
    granted.set(ownerId, grant.granted);
    const announced = new Map(grant.news.map((one) => [one.ownerId, one.percent]));
    for (const [index, row] of family.entries())
      family[index] = {
        ...row,
        count: row.count + (row.ownerId === ownerId ? grant.granted : 0),
        announcedPercent: announced.get(row.ownerId) ?? row.announcedPercent,
      };
    for (const one of grant.news) {
      const { email, firstName, accountName } = family.find((row) => row.ownerId === one.ownerId)!;
      news.push({ ...one, email, firstName, accountName });
    }
  }
  const rows = families.flat();
  await tx.query(
    `UPDATE sms_usage s SET count = r.count, told_percent = r.announced
     FROM unnest($2::text[], $3::int[], $4::int[]) AS r (owner_id, count, announced)
     WHERE s.owner_id = r.owner_id AND s.month_ms = $1 AND (s.count, s.told_percent) IS DISTINCT FROM (r.count, r.announced)`,
    [
      monthMs,
      rows.map(({ ownerId }) => ownerId),
      rows.map(({ count }) => count),
      rows.map(({ announcedPercent }) => announcedPercent),
    ],
    'count-sms',
  );
  return { granted, news };
}

/** The accounts with those that manage them, or that are managed by the same one, each family in one list, the managing one first. */
async function lockFamilies(tx: Queryable, ownerIds: readonly string[], monthMs: number): Promise<Row[][]> {
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

/** Takes one off that will not be sent. */
export async function uncountSms(tx: Queryable, ownerId: string, monthMs: number): Promise<void> {
  await tx.query(
    'UPDATE sms_usage SET count = count - 1 WHERE owner_id = $1 AND month_ms = $2 AND count > 0',
    [ownerId, monthMs],
    'uncount-sms',
  );
}

/** SMS of accounts in the months that are kept, about a year, the oldest first; those without any are left out. */
export async function smsMonths(
  on: Queryable,
  ownerIds: readonly string[],
): Promise<{ readonly month: string; readonly count: number }[]> {
  const { rows } = await on.query<{ month_ms: number; count: number }>(
    `SELECT month_ms, sum(count)::int AS count FROM sms_usage WHERE owner_id = ANY ($1)
     GROUP BY month_ms HAVING sum(count) > 0 ORDER BY month_ms`,
    [ownerIds],
    'sms-months',
  );
  return rows.map(({ month_ms, count }) => ({ month: new Date(month_ms).toISOString().slice(0, 7), count }));
}
