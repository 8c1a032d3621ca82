import { layOut, type MailContent } from '@catchment/mail';
import { type EffectiveZone, formatTime } from '@catchment/time';

type ReportMail = {
  readonly accountName: string;
  readonly name: string;
  /** docs/reference/node-tree.md#common-attributes */
  readonly path: string;
  /** The report shows data of this moment, Unix ms. */
  readonly timeMs: number;
  /** Zone of the report. */
  readonly zone: EffectiveZone;
  /** First name of the reader. */
  readonly firstName: string;
  readonly timeFormat: string;
  readonly url: string;
  readonly stopUrl: string;
};

/** Returns subject and text of the mail that a report goes with (docs/reference/notifications.md#report-subscriptions). */
export function reportMail(mail: ReportMail): MailContent {
  const { accountName, name, path, timeMs, zone, firstName, timeFormat, url, stopUrl } = mail;
  const time = formatTime(timeMs, timeFormat, zone);
  return layOut({
    subject: `[${accountName}] ${name}: report of ${time}`,
    firstName,
    paragraphs: [`The report ${name} of ${time} is attached as a PDF.`],
    facts: [
      ['Report', path],
      ['Time', `${time} (${zone.name})`],
    ],
    action: { label: 'Open the report', url },
    footer: `You get this mail because you are subscribed to the report ${name}.`,
    stop: { label: 'Stop mails with this report', url: stopUrl },
  });
}
