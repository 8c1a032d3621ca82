import { appendMails } from '@catchment/mail';
import type { Queryable } from '@catchment/pg';
import { monthOf } from '../domain/sms-limit.ts';
import { countSms } from '../store/pg-sms-usage.ts';
import { smsLimitMail } from './limit-mails.ts';

/**
 * Counts SMS that accounts are about to send, as many as their limits of the month allow
 * (docs/reference/notifications.md#limits-of-sms); owners hear of a limit that comes near or is reached.
 * @param wanted by account
 * @returns how many may be sent, by account
 */
export async function grantSms(
  tx: Queryable,
  wanted: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const monthMs = monthOf(nowMs);
  const { granted, news } = await countSms(tx, wanted, monthMs);
  const untilMs = new Date(monthMs).setUTCMonth(new Date(monthMs).getUTCMonth() + 1);
  const mails = news.map(({ email, firstName, accountName, percent, limit }) =>
    smsLimitMail(email, { firstName, accountName, percent, limit, untilMs }),
  );
  await appendMails(tx, mails, nowMs);
  return granted;
}
