import { type DueMail, layOut, type MailContent } from '@catchment/mail';

/** Template of the mail to somebody whose notifications are held back (docs/reference/notifications.md#recipients-and-content). */
export const HELD_BACK = 'held-back';

type Facts = { readonly firstName: string; readonly limit: number; readonly untilMs: number };

export function heldBackMail({ facts }: DueMail): MailContent {
  const { firstName, limit, untilMs } = facts as Facts;
  const until = new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ');
  return layOut({
    subject: 'Catchment: notifications are held back',
    greeting: firstName === '' ? 'Hello,' : `Hello ${firstName},`,
    paragraphs: [
      `You have had ${limit} notifications in this hour. Until ${until} UTC no more are sent to you by e-mail.`,
      'What happens meanwhile is in the events of the nodes.',
    ],
    footer: 'You get this mail because you are subscribed to notifications of Catchment.',
  });
}
