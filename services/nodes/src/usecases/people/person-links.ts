import type { CreateLinkResponse, Link, SignInResponse, UseLinkRequest } from '@catchment/contracts/people';
import { DomainError } from '@catchment/errors';
import { appendMails } from '@catchment/mail';
import { readEmail } from '../../domain/account.ts';
import type { MailFacts } from '../../domain/mail-facts.ts';
import { readPassword } from '../../domain/password.ts';
import { hashOfToken } from '../../domain/person-link.ts';
import { invalidAttribute } from '../../domain/rule.ts';
import { deleteLinksOf, findLink, type OpenLink, takeLink } from '../../store/pg-person-links.ts';
import { deleteSessionsOf } from '../../store/pg-sessions.ts';
import { personByEmail, readPerson, savePassword, saveProfile } from '../../store/pg-sign-in.ts';
import type { Deps } from '../deps.ts';
import { limitReset } from './limit-attempts.ts';
import { hashPassword } from './password-hash.ts';
import { profileOf, readGivenProfile } from './person.ts';
import { makeLinks } from './queue-mail.ts';
import { openSession, type SignInDeps } from './sign-in.ts';

/** What a link is for. @throws DomainError not_found when it is unknown, used or too old */
export async function getLink(deps: Deps, token: string): Promise<Link> {
  const sha256 = hashOfToken(token);
  const link = sha256 && (await findLink(deps.database, sha256, deps.now()));
  const person = link && (await readPerson(deps.database, link.userId));
  if (!link || !person) throw linkGone();
  return { purpose: purposeOf(link), email: link.email, profile: profileOf(person), expiresMs: link.expiresMs };
}

/**
 * Sets the password, with an activation the profile too, and signs in. The link and all others of the person are used up, and
 * other sessions end.
 * @throws DomainError not_found, invalid_argument naming the attribute; then the link stays
 */
export async function useLink(deps: SignInDeps, request: UseLinkRequest): Promise<SignInResponse> {
  const sha256 = hashOfToken(request.token);
  const open = sha256 && (await findLink(deps.database, sha256, deps.now()));
  if (!sha256 || !open) throw linkGone();
  const password = readPassword(request.password, open.email);
  const profile = purposeOf(open) === 'activate' ? readGivenProfile(request.profile) : undefined;
  const hash = await hashPassword(password);
  return deps.database.transaction(async (tx) => {
    const nowMs = deps.now();
    const link = await takeLink(tx, sha256, nowMs);
    if (!link) throw linkGone();
    await savePassword(tx, link.userId, hash, nowMs);
    if (profile) await saveProfile(tx, link.userId, profile);
    await deleteLinksOf(tx, link.userId);
    await deleteSessionsOf(tx, link.userId);
    return openSession(tx, deps, { ...link, sha256: request.sessionSha256, account: '' });
  });
}

/** Of somebody who is active by now an activation is as good as a new password. */
const purposeOf = ({ purpose, isActive }: OpenLink): OpenLink['purpose'] => (isActive ? 'reset' : purpose);

const linkGone = (): DomainError =>
  new DomainError('not_found', 'LINK_GONE', 'This link has been used already, or is too old.');

/**
 * Mails a link for a new password; to somebody whose profile is not finished, one to finish it. Answers the same whether or
 * not there is such a person.
 * @throws DomainError invalid_argument, resource_exhausted
 */
export async function requestReset(deps: Deps, given: string, clientAddress: string): Promise<void> {
  const email = readEmail(given, 'email');
  const nowMs = deps.now();
  await limitReset(deps.database, email, clientAddress, nowMs);
  await deps.database.transaction(async (tx) => {
    const person = await personByEmail(tx, email);
    if (!person) return;
    const purpose = person.isActive ? 'reset' : 'activate';
    const link = (await makeLinks(tx, deps.links, purpose, [person.userId], nowMs)).get(person.userId);
    if (!link) return;
    const facts: MailFacts = {
      firstName: person.firstName,
      accountName: '',
      by: '',
      news: [],
      linkId: link.linkId,
      linkExpiresMs: link.expiresMs,
    };
    await appendMails(tx, [{ recipient: email, template: person.isActive ? 'reset' : 'finish', facts }], nowMs);
  });
}

/** A new link that whoever runs the installation hands over. @throws DomainError invalid_argument when nobody has the e-mail */
export function createLink(deps: Deps, given: string): Promise<CreateLinkResponse> {
  const email = readEmail(given, 'email');
  return deps.database.transaction(async (tx) => {
    const person = await personByEmail(tx, email);
    if (!person) throw invalidAttribute('email', 'must be the e-mail address of a person of this installation');
    const purpose = person.isActive ? 'reset' : 'activate';
    const link = (await makeLinks(tx, deps.links, purpose, [person.userId], deps.now())).get(person.userId);
    return { url: link?.url ?? '', purpose, expiresMs: link?.expiresMs ?? 0 };
  });
}
