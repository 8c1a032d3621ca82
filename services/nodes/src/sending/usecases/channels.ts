import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { failureOf, layOut, type MailContent, MailRefused, type MailSender, type OutgoingMail } from '@catchment/mail';
import type { UnsubscribeLinks } from '../../notifications/index.ts';
import { noticeText, smsText } from '../domain/notice-text.ts';
import { pageOfNode } from '../domain/page-of-node.ts';
import type { Recipient } from '../store/recipients-query.ts';
import type { Channel, ToSend } from './send-notification.ts';
import { type SmsSender, smsFailureOf } from './sms-sender.ts';
import { unsubscribeHeaders } from './unsubscribe-headers.ts';

type MailDeps = {
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** People open pages here; it has no slash at the end. */
  readonly appUrl: string;
};

/** @param sender undefined = no mail server is configured (SMTP_URL) */
export const emailChannel = (deps: MailDeps, sender: MailSender | undefined): Channel => ({
  name: 'email',
  send:
    sender &&
    ((due, recipient, loaded) =>
      sender.send({ ...mailOf(deps, due, recipient, loaded), mailId: due.deliveryId, recipient: recipient.email })),
  failureOf: mailFailureOf,
});

/** Returns the loggable part of a mail's failure, and whether a further try makes no difference. */
export const mailFailureOf: Channel['failureOf'] = (error) => ({
  facts: failureOf(error),
  isFinal: error instanceof MailRefused,
});

/** @param sender undefined = no gateway is configured (SMS_URL) */
export const smsChannel = (sender: SmsSender | undefined): Channel => ({
  name: 'sms',
  send:
    sender &&
    (({ deliveryId: id }, { phone }, { notice, custom, reader }) =>
      sender.send({ id, to: phone ?? '', text: smsText(notice, custom, reader) })),
  failureOf: smsFailureOf,
});

/** The mail, in both forms. */
function mailOf(
  { appUrl, unsubscribeLinks }: MailDeps,
  { nodeId, categoryId, username }: NotificationDue,
  { userId, workspaceId, firstName }: Recipient,
  { notice, custom, reader, why }: ToSend,
): MailContent & Pick<OutgoingMail, 'headers'> {
  const { subject, text, facts } = noticeText(notice, custom, reader);
  const stopUrl = categoryId === '' ? undefined : unsubscribeLinks.urlOf({ userId, workspaceId, categoryId });
  // A notice with a category is about an alarm: it is acknowledged there. Where the source is silent, the page says
  // what to do.
  const part = why !== '' ? 'diagnosis' : categoryId === '' ? 'chart' : 'alarms';
  const content = layOut({
    subject,
    firstName,
    paragraphs: [...text.split(/\n+/), ...(why === '' ? [] : [why])],
    facts,
    action: { label: 'Open the node', url: pageOfNode(appUrl, notice.accountSlug, nodeId, part) },
    footer: `You get this mail because ${stopUrl === undefined ? `${username} has sent it to you` : `you are subscribed to notifications of ${notice.nodeName}`}.`,
    ...(stopUrl !== undefined && {
      stop: { label: `Stop mails of the category ${notice.categoryName}`, url: stopUrl },
    }),
  });
  return stopUrl === undefined ? content : { ...content, headers: unsubscribeHeaders(stopUrl) };
}
