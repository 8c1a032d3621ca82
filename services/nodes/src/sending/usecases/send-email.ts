import { RetryAfter } from '@catchment/bus';
import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { failureOf, layOut, type MailContent, MailRefused, type MailSender, type OutgoingMail } from '@catchment/mail';
import { appendOutbox } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { eventRecorded, type StoreDeps } from '../../changes/index.ts';
import type { UnsubscribeLinks } from '../../notifications/index.ts';
import { viewedNode } from '../../views/index.ts';
import { noticeText } from '../domain/notice-text.ts';
import { untilNextTry } from '../domain/tries.ts';
import { type Recipient, recipientsOf } from '../store/pg-recipients.ts';
import { takeEvents } from '../store/pg-sent.ts';
import { type LoadedNotice, loadNotice, type NoticeDeps } from './load-notice.ts';

export type SendDeps = StoreDeps &
  NoticeDeps & {
    readonly unsubscribeLinks: UnsubscribeLinks;
    /** undefined = no mail server is configured: what would be sent is logged. */
    readonly sender: MailSender | undefined;
    readonly log: Pick<Logger, 'info' | 'warn'>;
    /** What links to nodes begin with, without a slash at the end. */
    readonly baseUrl: string;
  };

/**
 * One try to send a notification. Who gets it is looked up now: whoever may not hear of it any more gets nothing.
 * @param ageMs since it was asked for
 * @throws RetryAfter when it is to be tried again
 */
export async function sendEmail(deps: SendDeps, due: NotificationDue, ageMs: number): Promise<void> {
  const { database, sender, log } = deps;
  const { deliveryId, nodeId, userId } = due;
  const recipients = await recipientsOf(database, [due], deps.now());
  const recipient = recipients.find((one) => one.userId === userId && one.byEmail);
  if (!recipient) return log.info({ deliveryId }, 'notification is not needed any more');
  const loaded = await loadNotice(deps, due, recipient, ageMs);
  if (loaded.problem !== undefined)
    await warn(deps, due, notificationOf(deliveryId), `Expression cannot be evaluated: ${loaded.problem}`);
  if (!sender)
    return log.info({ deliveryId, nodeId }, 'notification not sent: no mail server is configured (SMTP_URL)');
  try {
    const mail = mailOf(deps, due, recipient, loaded);
    await sender.send({ ...mail, mailId: deliveryId, recipient: recipient.email });
    log.info({ deliveryId, ageMs }, 'notification sent');
  } catch (error) {
    const failure = failureOf(error);
    const waitMs = error instanceof MailRefused ? undefined : untilNextTry(ageMs);
    if (waitMs !== undefined) throw new RetryAfter(waitMs, { cause: error });
    log.warn({ deliveryId, ...failure }, 'notification failed');
    const why = Object.values(failure).join(' ');
    await warn(deps, due, deliveryId, `Notification not sent to ${recipient.email} by email: ${why}`);
  }
}

/** What the deliveries of a notification to all its readers have in common. */
const notificationOf = (deliveryId: string): string => deliveryId.slice(0, deliveryId.lastIndexOf('.'));

/** A WARNING event, once for what it is about. */
async function warn({ database, now }: SendDeps, due: NotificationDue, about: string, message: string): Promise<void> {
  const { class: nodeClass, workspaceId } = await viewedNode(database, due.nodeId);
  await database.transaction(async (tx) => {
    const timeMs = now();
    const isNew = (await takeEvents(tx, [`${about} failed`], timeMs)).size > 0;
    if (!isNew) return;
    const { ownerId, nodeId } = due;
    const event = { nodeId, workspaceId, nodeClass, timeMs, username: 'System', message } as const;
    await appendOutbox(tx, [eventRecorded(ownerId, { ...event, level: 'WARNING', eventType: 'NOTIFICATION' })]);
  });
}

/** The mail, in both forms. */
function mailOf(
  { baseUrl, unsubscribeLinks }: SendDeps,
  { nodeId, categoryId }: NotificationDue,
  { userId, workspaceId, firstName }: Recipient,
  { notice, custom, reader }: LoadedNotice,
): MailContent & Pick<OutgoingMail, 'headers'> {
  const { subject, text, facts } = noticeText(notice, custom, reader);
  const stopUrl = unsubscribeLinks.urlOf({ userId, workspaceId, categoryId });
  const content = layOut({
    subject,
    greeting: firstName === '' ? 'Hello,' : `Hello ${firstName},`,
    paragraphs: [text],
    facts,
    action: { label: 'Open the node', url: `${baseUrl}/api/v1/nodes/${nodeId}` },
    footer: `You get this mail because you are subscribed to notifications of ${notice.nodeName}. To stop mails of the category ${notice.categoryName}: ${stopUrl}`,
  });
  // Programs for mail show a button, which stops the mails by one request (RFC 8058).
  const headers = { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return { ...content, headers };
}
