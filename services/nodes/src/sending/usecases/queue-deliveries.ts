import { NotificationDue } from '@catchment/contracts/nodes-messages';
import { appendMails } from '@catchment/mail';
import { appendOutbox, type Queryable } from '@catchment/pg';
import type { ChannelName } from '../domain/channel-name.ts';
import { HOURLY_LIMIT, hourOf, nextHourOf, withinLimit } from '../domain/hourly-limit.ts';
import { monthOf } from '../domain/sms-limit.ts';
import type { Recipient } from '../store/recipients-query.ts';
import { grantSms } from './grant-sms.ts';
import { heldBackMail } from './limit-mails.ts';
import type { Counts, MessageCounts, SmsUsage } from './ports.ts';

/** One person gets this message by one channel. */
export type Delivery = {
  readonly channel: ChannelName;
  readonly to: Recipient;
  /** The id is made of this text: it is the same for whatever asks for the delivery twice. */
  readonly about: string;
  readonly due: Pick<NotificationDue, 'ownerId' | 'nodeId' | 'eventText' | 'timeMs'> & Partial<NotificationDue>;
};

/**
 * Asks for messages to be sent, as part of the running transaction, as far as the limits of people and accounts allow
 * (docs/reference/notifications.md#recipients-and-content).
 * @returns those that will be sent
 */
export async function queueDeliveries<D extends Delivery>(
  counts: Counts,
  tx: Queryable,
  wanted: readonly D[],
  nowMs: number,
): Promise<D[]> {
  const emails = await withinHourlyLimit(counts, tx, 'email', wanted, nowMs);
  const sms = await withinSmsLimit(counts, tx, await withinHourlyLimit(counts, tx, 'sms', wanted, nowMs), nowMs);
  const queued = [...emails, ...sms];
  await appendOutbox(
    tx,
    queued.map(({ channel, to, about, due }) => ({
      subject: `notifications.${channel}.due.v1`,
      data: NotificationDue.encode(
        NotificationDue.fromPartial({
          ...due,
          deliveryId: `${about}.${to.userId}${channel === 'sms' ? '.sms' : ''}`,
          userId: to.userId,
          ...(channel === 'sms' && { monthMs: monthOf(nowMs) }),
        }),
      ).finish(),
    })),
  );
  return queued;
}

/** Leaves out what is too much for a person in an hour; whom that happens to for the first time in it gets a mail about it. */
export async function withinHourlyLimit<D extends Pick<Delivery, 'channel' | 'to'>>(
  { countMessages }: MessageCounts,
  tx: Queryable,
  channel: ChannelName,
  all: readonly D[],
  nowMs: number,
): Promise<D[]> {
  const byUser = Map.groupBy(
    all.filter((delivery) => delivery.channel === channel),
    ({ to }) => to.userId,
  );
  if (byUser.size === 0) return [];
  const counts = new Map([...byUser].map(([userId, deliveries]) => [userId, deliveries.length]));
  const counted = await countMessages(tx, channel, hourOf(nowMs), counts);
  const limit = HOURLY_LIMIT[channel];
  const untilMs = nextHourOf(nowMs);
  const held: Recipient[] = [];
  const sent = [...byUser].flatMap(([userId, deliveries]) => {
    const within = withinLimit(limit, counted.get(userId) ?? deliveries.length, deliveries.length);
    if (within.isFirst) held.push(deliveries[0]!.to);
    return deliveries.slice(0, within.sent);
  });
  const mails = held.map(({ email, firstName }) => heldBackMail(email, { firstName, channel, limit, untilMs }));
  await appendMails(tx, mails, nowMs);
  return sent;
}

/** Leaves out what is too much for an account in a month. */
async function withinSmsLimit<D extends Delivery>(
  usage: SmsUsage,
  tx: Queryable,
  wanted: readonly D[],
  nowMs: number,
): Promise<D[]> {
  const byOwner = Map.groupBy(wanted, ({ due }) => due.ownerId);
  const granted = await grantSms(
    usage,
    tx,
    new Map([...byOwner].map(([ownerId, deliveries]) => [ownerId, deliveries.length])),
    nowMs,
  );
  return [...byOwner].flatMap(([ownerId, deliveries]) => deliveries.slice(0, granted.get(ownerId) ?? 0));
}
