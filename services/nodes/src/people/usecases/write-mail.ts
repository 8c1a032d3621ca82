import type { DueMail, MailContent } from '@catchment/mail';
import type { MailFacts } from '../domain/mail-facts.ts';
import type { LinkPurpose } from '../domain/person-link.ts';
import { mailedLink } from '../store/person-links-query.ts';
import type { PeopleDeps } from './deps.ts';
import { mailText } from './mail-texts.ts';

/** Returns the text of a queued mail; undefined when the mail is not needed any more: its link has been used or has ended. */
export async function writeMail(deps: PeopleDeps, { template, facts }: DueMail): Promise<MailContent | undefined> {
  const known = facts as MailFacts;
  const { linkId, onlyIfKnown } = known;
  const signIn = deps.links.signInUrl;
  if (linkId === undefined) return mailText(template, known, { link: '', signIn });
  const link = await mailedLink(deps.database, linkId, deps.now());
  if (!link || (onlyIfKnown && !link.isKnown)) return undefined;
  const purpose: LinkPurpose = template === 'reset' ? 'reset' : 'activate';
  const text = template === 'welcome' && link.hasPerson ? 'invitation' : template;
  return mailText(text, known, { link: deps.links.urlOf(purpose, linkId), signIn });
}
