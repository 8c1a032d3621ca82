/** See docs/reference/notifications.md#limits-of-sms. */
const TRIAL_SMS = 10;
/** The account's owner is notified at these shares of a limit, in percent. */
const NOTICE_PERCENTS = [90, 100];

/** SMS of an account need this. */
export type SmsAccount = {
  readonly ownerId: string;
  readonly accountType: string;
  readonly status: string;
  readonly smsLimit: number | null;
  /** SMS of the month. */
  readonly count: number;
  /** The owner has been notified of this share in this month. */
  readonly announcedPercent: number;
};

/** Returns the SMS that an account may send in a month; null = as many as it likes, 0 = none. */
export const smsLimitOf = ({ accountType, smsLimit }: Pick<SmsAccount, 'accountType' | 'smsLimit'>): number | null =>
  smsLimit ?? (accountType === 'TRIAL' ? TRIAL_SMS : null);

/** The owner of an account is to be notified how much of the limit is used. */
export type LimitNews = { readonly ownerId: string; readonly percent: number; readonly limit: number };

/**
 * Returns how many of an account's SMS may be sent: the limit of the account holds, and that of its managing account
 * for the whole family.
 * @param family the managing account first, or the account alone, and all that it manages
 */
export function smsGrant(
  family: readonly SmsAccount[],
  ownerId: string,
  wanted: number,
): { readonly granted: number; readonly news: readonly LimitNews[] } {
  const limiting = [...new Set([family[0], family.find((member) => member.ownerId === ownerId)])].flatMap((account) => {
    const limit = account && smsLimitOf(account);
    return account && limit !== null && limit !== undefined ? [{ account, limit, used: usedOf(account, family) }] : [];
  });
  const granted = limiting.reduce(
    (most, { limit, used }) => Math.max(0, Math.min(most, Math.floor(limit - used))),
    wanted,
  );
  const news = limiting.flatMap(({ account, limit, used }) =>
    NOTICE_PERCENTS.filter(
      (percent) => granted > 0 && percent > account.announcedPercent && (used + granted) * 100 >= limit * percent,
    ).map((percent) => ({ ownerId: account.ownerId, percent, limit })),
  );
  return { granted, news };
}

/**
 * Grants SMS to several accounts, one after the other: what one gets counts for the others of its family.
 * @param families each with the managing account first
 * @param wanted by account
 * @returns how many each may send, whose owners are to be notified, and the accounts as they are after it
 */
export function smsGrants<A extends SmsAccount>(
  families: readonly (readonly A[])[],
  wanted: ReadonlyMap<string, number>,
): {
  readonly granted: ReadonlyMap<string, number>;
  readonly news: readonly { readonly account: A; readonly percent: number; readonly limit: number }[];
  readonly after: readonly A[];
} {
  const after = families.map((family) => [...family]);
  const granted = new Map<string, number>();
  const news: { account: A; percent: number; limit: number }[] = [];
  for (const [ownerId, count] of wanted) {
    const family = after.find((accounts) => accounts.some((member) => member.ownerId === ownerId)) ?? [];
    const grant = smsGrant(family, ownerId, count);
    granted.set(ownerId, grant.granted);
    for (const { ownerId: to, percent, limit } of grant.news)
      news.push({ account: family.find((member) => member.ownerId === to)!, percent, limit });
    const announced = new Map(grant.news.map((item) => [item.ownerId, item.percent]));
    for (const [index, member] of family.entries())
      family[index] = {
        ...member,
        count: member.count + (member.ownerId === ownerId ? grant.granted : 0),
        announcedPercent: announced.get(member.ownerId) ?? member.announcedPercent,
      };
  }
  return { granted, news, after: after.flat() };
}

const usedOf = (account: SmsAccount, family: readonly SmsAccount[]): number =>
  account === family[0]
    ? smsUsed(family.map(({ count, ...member }) => ({ ...member, smsCount: count })))
    : account.count;

/**
 * SMS that count for the first of some accounts, as in the usage document: a TRIAL or disabled account counts for itself alone.
 * @param family the managing account first, or the account alone, and all that it manages
 */
export const smsUsed = (
  family: readonly (Pick<SmsAccount, 'accountType' | 'status'> & { readonly smsCount: number })[],
): number =>
  family
    .filter((member) => member === family[0] || (member.accountType !== 'TRIAL' && member.status === 'ACTIVE'))
    .reduce((sum, { smsCount }) => sum + smsCount, 0);

/** Finds the begin of a calendar month in UTC. */
export const monthOf = (nowMs: number): number => {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
};
