import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { appendOutbox } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { eventRecorded } from '../../changes/index.ts';
import type { DiagnosisDeps } from '../../diagnosis/index.ts';
import { CHANNEL_LABELS, type ChannelName, NOT_CONFIGURED } from '../domain/channel-name.ts';
import { isReached, type Recipient, recipientsOf } from '../store/recipients-query.ts';
import { isTaken } from '../store/sent-query.ts';
import { type LoadedNotice, loadNotice, type NoticeDeps } from './load-notice.ts';
import type { SentNotes, SmsUsage } from './ports.ts';
import { type FailureFacts, tryToSend, whyOf } from './try-to-send.ts';
import { warnOfExpression } from './warn-of-expression.ts';
import { whySilent } from './why-silent.ts';

export type SendDeps = NoticeDeps & DiagnosisDeps & { readonly log: Pick<Logger, 'info' | 'warn'> };

/** A message is made of these parts. */
export type ToSend = LoadedNotice & {
  /** The source of an outdatedAlarm is silent for this reason; empty where it is unknown. */
  readonly why: string;
};

/** A way to reach people. */
export type Channel = {
  readonly name: ChannelName;
  /** Sends one message; undefined = nothing is configured to send with, and what would be sent is logged. */
  readonly send: ((due: NotificationDue, recipient: Recipient, loaded: ToSend) => Promise<void>) | undefined;
  /** Returns the loggable part of a failure, and whether a further try makes no difference. */
  failureOf(error: unknown): { readonly facts: FailureFacts; readonly isFinal: boolean };
};

type SentStore = SentNotes & Pick<SmsUsage, 'uncountSms'>;

/**
 * Tries once to send a notification. Its recipients are looked up now: whoever may not hear of it any more gets
 * nothing. Sent messages are noted, so that they are sent again only when the process dies between the answer of the
 * mail server or gateway and the note of it.
 * @param ageMs since it was asked for
 * @throws RetryAfter when it is to be tried again
 */
export async function sendNotification(
  store: SentStore,
  deps: SendDeps,
  channel: Channel,
  due: NotificationDue,
  ageMs: number,
): Promise<void> {
  const { database, log } = deps;
  const { deliveryId, nodeId, categoryId, userId } = due;
  const sentId = `${deliveryId} sent`;
  if (await isTaken(database, sentId)) return;
  const subject = { nodeId, categoryId, ...(categoryId === '' && { userIds: [userId] }) };
  const recipients = await recipientsOf(database, [subject], deps.now());
  const recipient = recipients.find((recipient) => recipient.userId === userId && isReached(recipient, channel.name));
  if (!recipient) {
    log.info({ deliveryId }, 'notification is not needed any more');
    return giveUp(store, deps, due);
  }
  const loaded = await loadNotice(deps, due, recipient, ageMs);
  if (loaded.problem !== undefined) await warnOfExpression(store, deps, due, loaded.node, loaded.problem);
  const notSent = (why: string): Warning => ({
    nodeClass: loaded.node.class,
    workspaceId: recipient.workspaceId,
    message: `Notification not sent to ${recipient.email} by ${CHANNEL_LABELS[channel.name]}: ${why}`,
  });
  if (!channel.send) {
    log.info({ deliveryId, nodeId, channel: channel.name }, 'notification not sent: its channel is not configured');
    return giveUp(store, deps, due, notSent(NOT_CONFIGURED[channel.name]));
  }
  const { send } = channel;
  const sentBy = channel.name === 'email' ? 'mail' : 'sms';
  // An SMS has no room for it.
  const why = channel.name === 'email' ? await whySilent(deps, due) : '';
  const facts = await tryToSend(sentBy, () => send(due, recipient, { ...loaded, why }), channel.failureOf, ageMs);
  if (facts) {
    log.warn({ deliveryId, channel: channel.name, ...facts }, 'notification failed');
    return giveUp(store, deps, due, notSent(whyOf(facts)));
  }
  await store.takeEvents(database, [sentId], deps.now());
  log.info({ deliveryId, channel: channel.name, ageMs }, 'notification sent');
}

/** A WARNING event says this, and stands there. */
type Warning = { readonly nodeClass: string; readonly workspaceId: string; readonly message: string };

/** The message will not be sent: an SMS counts no more, and an event reports a failure. Once for a message. */
async function giveUp(
  { takeEvents, uncountSms }: SentStore,
  deps: SendDeps,
  due: NotificationDue,
  warning?: Warning,
): Promise<void> {
  const { deliveryId, ownerId, monthMs } = due;
  if (monthMs === 0 && !warning) return;
  await deps.database.transaction(async (tx) => {
    const nowMs = deps.now();
    if ((await takeEvents(tx, [`${deliveryId} failed`], nowMs)).size === 0) return;
    if (monthMs > 0) await uncountSms(tx, ownerId, monthMs);
    if (warning) await appendOutbox(tx, [warningEvent(due, warning, nowMs)]);
  });
}

const warningEvent = ({ ownerId, nodeId }: NotificationDue, warning: Warning, timeMs: number) =>
  eventRecorded(ownerId, {
    ...warning,
    nodeId,
    timeMs,
    level: 'WARNING',
    eventType: 'NOTIFICATION',
    username: 'System',
  });
