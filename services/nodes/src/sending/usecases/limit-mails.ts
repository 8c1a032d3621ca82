import { type DueMail, layOut, type MailContent, type QueuedMail } from '@catchment/mail';
import type { ChannelName } from '../domain/channel-name.ts';
import type { FamilyAccount } from './ports.ts';

/** Mails about limits have these templates (docs/reference/notifications.md#recipients-and-content). */
const HELD_BACK = 'held-back';
const SMS_LIMIT = 'sms-limit';

type HeldBack = {
  readonly firstName: string;
  readonly channel: ChannelName;
  readonly limit: number;
  readonly untilMs: number;
};
type SmsLimit = Pick<FamilyAccount, 'firstName' | 'accountName'> & {
  readonly percent: number;
  readonly limit: number;
  readonly untilMs: number;
};

/** Writes to a person whose notifications are held back. */
export const heldBackMail = (recipient: string, facts: HeldBack): QueuedMail => ({
  recipient,
  template: HELD_BACK,
  facts,
});

/** Writes to the owner of an account that comes near its limit of SMS, or has reached it. */
export const smsLimitMail = (recipient: string, facts: SmsLimit): QueuedMail => ({
  recipient,
  template: SMS_LIMIT,
  facts,
});

/** Returns the text of a queued mail; undefined for one that is not of these. */
export function limitMail({ template, facts }: DueMail): MailContent | undefined {
  if (template === HELD_BACK) return heldBackText(facts as HeldBack);
  return template === SMS_LIMIT ? smsLimitText(facts as SmsLimit) : undefined;
}

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function heldBackText(facts: HeldBack): MailContent {
  const by = facts.channel === 'sms' ? 'by SMS' : 'by e-mail';
  return layOut({
    subject: 'Catchment: notifications are held back',
    firstName: facts.firstName,
    paragraphs: [
      `You have had ${facts.limit} notifications ${by} in this hour. Until ${minuteOf(facts.untilMs)} no more are sent to you ${by}.`,
      'What happens meanwhile is in the events of the nodes.',
    ],
    footer: 'You get this mail because you are subscribed to notifications of Catchment.',
  });
}

function smsLimitText(facts: SmsLimit): MailContent {
  const { accountName, percent, limit, untilMs } = facts;
  const isReached = percent >= 100;
  return layOut({
    subject: `[${accountName}] ${isReached ? 'The limit of SMS is reached' : `${percent} % of the limit of SMS is used`}`,
    firstName: facts.firstName,
    paragraphs: [
      `The account ${accountName} may send ${limit} SMS in a calendar month, and has used ${percent} % of them.`,
      isReached
        ? `Until ${minuteOf(untilMs)} no more are sent. E-mails are sent as before.`
        : `When all are used, no more are sent until ${minuteOf(untilMs)}.`,
    ],
    footer: `You get this mail because you own the account ${accountName}.`,
  });
}
