import { layOut, type MailContent, type MailText } from '@catchment/mail';
import type { MailFacts } from '../domain/mail-facts.ts';

/** Links get addresses when the mail is written. */
type MailLinks = {
  /** The mail is about the link with this address; empty = about none. */
  readonly link: string;
  readonly signIn: string;
};

const FOOTER_OF_ACCOUNT = 'You get this mail because somebody has changed what you may do in an account of Catchment.';
const FOOTER_OF_REQUEST = 'You get this mail because somebody has asked for it on the sign-in page of Catchment.';

type Writer = (facts: MailFacts, links: MailLinks) => Omit<MailText, 'firstName'>;

/** Each mail to people has a text; unknown templates have none. */
const TEXTS: Readonly<Record<string, Writer>> = {
  welcome: (facts, { link }) => ({
    subject: `Welcome to Catchment: ${facts.accountName}`,
    paragraphs: [
      ...facts.news.map((item) => sentence(item, facts)),
      `Catchment collects sensor data and watches over it. To sign in you need a password: choose one, and check what is known of you.`,
    ],
    action: { label: 'Finish your profile', url: link, note: once(facts) },
    footer: FOOTER_OF_ACCOUNT,
  }),
  invitation: (facts, { link, signIn }) => ({
    subject: `Access to ${facts.accountName}: do you accept it?`,
    paragraphs: [
      ...facts.news.map((item) => sentence(item, facts)),
      `It begins when you accept it. Sign in at ${signIn}: your account page asks you, and you can decline it there too.`,
      'You do not know your password any more? Then choose a new one here, which accepts it as well.',
    ],
    action: { label: 'Accept with a new password', url: link, note: once(facts) },
    footer: FOOTER_OF_ACCOUNT,
  }),
  access: (facts, { signIn }) => ({
    subject: `Your access to ${facts.accountName} has changed`,
    paragraphs: facts.news.map((item) => sentence(item, facts)),
    action: { label: 'Sign in', url: signIn, note: 'Your account page shows where you have access.' },
    footer: FOOTER_OF_ACCOUNT,
  }),
  reset: (facts, { link }) => ({
    subject: 'A new password for Catchment',
    paragraphs: [
      'Somebody, most likely you, has asked for a new password.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url: link, note: once(facts) },
    footer: FOOTER_OF_REQUEST,
  }),
  finish: (facts, { link }) => ({
    subject: 'Finish your profile for Catchment',
    paragraphs: ['Your profile is not finished yet: choose a password, then you can sign in.'],
    action: { label: 'Finish your profile', url: link, note: once(facts) },
    footer: FOOTER_OF_REQUEST,
  }),
};

/** @returns undefined for a template that this version does not know */
export function mailText(template: string, facts: MailFacts, links: MailLinks): MailContent | undefined {
  const write = TEXTS[template];
  if (!write) return undefined;
  return layOut({ firstName: facts.firstName, ...write(facts, links) });
}

function sentence({ change, what }: MailFacts['news'][number], { by, accountName }: MailFacts): string {
  const account = `the account '${accountName}'`;
  switch (change) {
    case 'granted':
      return `${by} has given you ${what} in ${account}.`;
    case 'changed':
      return `${by} has changed what you may do in ${account}. You now have ${what}.`;
    case 'revoked':
      return `${by} has ended your ${what} in ${account}.`;
    case 'kept':
      return `You have ${what} in ${account}.`;
  }
}

const once = ({ linkExpiresMs = 0 }: MailFacts): string =>
  `The link works once, until ${new Date(linkExpiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
