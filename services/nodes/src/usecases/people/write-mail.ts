import type { DueMail, MailContent } from '@catchment/mail';
import type { MailFacts } from '../../domain/mail-facts.ts';
import type { LinkPurpose } from '../../domain/person-link.ts';
import { linkWorks } from '../../store/pg-person-links.ts';
import { mailText } from '../../view/mail-texts.ts';
import type { Deps } from '../deps.ts';

/** The text of a queued mail; undefined when its link has been used or has ended meanwhile. */
export async function writeMail(deps: Deps, { template, facts }: DueMail): Promise<MailContent | undefined> {
  const known = facts as MailFacts;
  const { linkId } = known;
  if (linkId !== undefined && !(await linkWorks(deps.database, linkId, deps.now()))) return undefined;
  const purpose: LinkPurpose = template === 'reset' ? 'reset' : 'activate';
  const link = linkId === undefined ? '' : deps.links.urlOf(purpose, linkId);
  return mailText(template, known, { link, signIn: deps.links.signInUrl });
}
