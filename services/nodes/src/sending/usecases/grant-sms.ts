import { appendMails } from '@catchment/mail';
import type { Queryable } from '@catchment/pg';
import { monthOf, smsGrants } from '../domain/sms-limit.ts';
import { smsLimitMail } from './limit-mails.ts';
import type { SmsUsage } from './ports.ts';

/**
 * Counts SMS that accounts are about to send, as many as their limits of the month allow
 * (docs/reference/notifications.md#limits-of-sms); owners hear of a limit that comes near or is reached.
 * @param wanted by account
 * @returns how many may be sent, by account
 */
export async function grantSms(
  { lockFamilies, saveCounts }: SmsUsage,
  tx: Queryable,
  wanted: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (wanted.size === 0) return new Map();
  const monthMs = monthOf(nowMs);
  const { granted, news, after } = smsGrants(await lockFamilies(tx, [...wanted.keys()], monthMs), wanted);
  await saveCounts(tx, monthMs, after);
  const untilMs = new Date(monthMs).setUTCMonth(new Date(monthMs).getUTCMonth() + 1);
  const mails = news.map(({ account: { email, firstName, accountName }, percent, limit }) =>
    smsLimitMail(email, { firstName, accountName, percent, limit, untilMs }),
  );
  await appendMails(tx, mails, nowMs);
  return granted;
}
