import type { CreateLinkResponse, Link, SignInResponse, UseLinkRequest } from '@catchment/contracts/people';
import { DomainError } from '@catchment/errors';
import { appendMails } from '@catchment/mail';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { keysDeleted } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { readEmail } from '../../domain/body/texts.ts';
import type { MailFacts } from '../domain/mail-facts.ts';
import { readPassword } from '../domain/password.ts';
import { hashOfToken } from '../domain/person-link.ts';
import { findLink, type OpenLink, takeLink } from '../store/person-links-query.ts';
import { provenPerson } from '../store/proof-query.ts';
import { personByEmail, readPerson } from '../store/sign-in-query.ts';
import type { PeopleDeps, SignInDeps } from './deps.ts';
import { lockAccountsNaming, mergeInto } from './invitations.ts';
import { limitReset } from './limit-attempts.ts';
import { makeLinks } from './make-links.ts';
import { profileOf, readGivenProfile } from './person.ts';
import type { AttemptCounts, LinkStore, PeopleStore, ProfileStore } from './ports.ts';
import { openSession } from './sign-in.ts';
import { recordSignIn } from './sign-in-events.ts';
import { storePassword } from './store-password.ts';

/** Purpose of a link. @throws DomainError not_found when it is unknown, used or too old */
export async function getLink(deps: PeopleDeps, token: string): Promise<Link> {
  const sha256 = hashOfToken(token);
  const link = sha256 && (await findLink(deps.database, sha256, deps.now()));
  const person = link && (await readPerson(deps.database, link.userId));
  if (!link || !person) throw linkGone();
  const purpose = await purposeOf(deps.database, link);
  return { purpose, email: link.email, profile: profileOf(person), expiresMs: link.expiresMs };
}

/**
 * Sets the password, with an activation the profile too, and signs in. The link and all others of the person are used up, and
 * other sessions end. A link that went to the e-mail proves it: what the account has given is the person's from then on.
 * @throws DomainError not_found, invalid_argument naming the attribute; then the link stays
 */
export async function useLink(store: PeopleStore, deps: SignInDeps, request: UseLinkRequest): Promise<SignInResponse> {
  const sha256 = hashOfToken(request.token);
  const open = sha256 && (await findLink(deps.database, sha256, deps.now()));
  if (!sha256 || !open) throw linkGone();
  const password = readPassword(request.password, open.email);
  const isActivation = (await purposeOf(deps.database, open)) === 'activate';
  const profile = isActivation ? readGivenProfile(request.profile) : undefined;
  return storePassword(deps, open.email, password, async (tx, hash) => {
    const nowMs = deps.now();
    const ownerIds = await lockAccountsNaming(tx, open.userId);
    const link = await takeLink(tx, sha256, nowMs);
    if (!link) throw linkGone();
    // A person from before proofs: it is unknown which of the accounts has this link.
    if (!link.provesEmail && !link.isProven && link.homeOwnerId === null && ownerIds.length > 1) throw linkGone();
    const userId = link.provesEmail ? await prove(store, tx, link, ownerIds, nowMs) : link.userId;
    await store.savePassword(tx, userId, hash, nowMs);
    if (profile && userId === link.userId) await store.saveProfile(tx, userId, profile);
    await store.deleteLinksOf(tx, [userId, link.userId]);
    await store.deleteSessionsOf(tx, userId);
    await recordSignIn(store, tx, 'signed in by link', { email: link.email, userIds: [userId] }, nowMs);
    const { email, homeOwnerId: preferred } = link;
    const { sessionSha256, clientAddress, userAgent } = request;
    const by = { way: 'link', clientAddress, userAgent } as const;
    return openSession(store, tx, deps, { userId, email, sha256: sessionSha256, account: '', preferred, by });
  });
}

/** @returns the person of the e-mail: the link's profile, or the person who proved it before and takes the profile over */
async function prove(
  store: ProfileStore,
  tx: Queryable,
  link: OpenLink,
  ownerIds: readonly string[],
  nowMs: number,
): Promise<string> {
  if (link.isProven) return link.userId;
  const cause = { timeMs: nowMs, username: link.email };
  const isOfWorkspace = link.linkWorkspaceId !== null;
  const personId = await provenPerson(tx, link.email);
  if (personId !== undefined) {
    await mergeInto(store, tx, { userId: link.userId, ownerIds, isOfWorkspace }, personId, cause);
    return personId;
  }
  if (isOfWorkspace) await appendOutbox(tx, keysDeleted(await store.dropKeysOf(tx, [link.userId]), cause));
  await store.markProven(tx, link.userId, nowMs);
  return link.userId;
}

/**
 * Chooses the purpose of an activation link. The link sets a new password if the person is active by now, or if it was mailed to a person
 * who is known by the e-mail already. A link in an answer does not reveal that.
 */
async function purposeOf(
  on: Queryable,
  { purpose, isActive, provesEmail, email }: OpenLink,
): Promise<OpenLink['purpose']> {
  if (isActive) return 'reset';
  return provesEmail && (await provenPerson(on, email)) !== undefined ? 'reset' : purpose;
}

const linkGone = (): DomainError =>
  new DomainError('not_found', 'LINK_GONE', 'This link has been used already, or is too old.');

/**
 * Mails a link for a new password, or to a person with an unfinished profile one to finish it. Answers the same whether or
 * not there is such a person.
 * @throws DomainError invalid_argument, resource_exhausted
 */
export async function requestReset(
  store: AttemptCounts & LinkStore,
  deps: PeopleDeps,
  given: string,
  clientAddress: string,
): Promise<void> {
  const email = readEmail(given, 'email');
  const nowMs = deps.now();
  await limitReset(store, deps.database, email, clientAddress, nowMs);
  await deps.database.transaction(async (tx) => {
    const made = await linkFor(store, tx, deps, email, nowMs);
    if (!made) return;
    const { person, link } = made;
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

/**
 * Makes a new link that the operator of the installation hands over; it proves the e-mail, as a mailed one does.
 * @throws DomainError invalid_argument when no profile has the e-mail
 */
export function createLink(store: LinkStore, deps: PeopleDeps, given: string): Promise<CreateLinkResponse> {
  const email = readEmail(given, 'email');
  return deps.database.transaction(async (tx) => {
    const made = await linkFor(store, tx, deps, email, deps.now());
    if (!made) throw invalidAttribute('email', 'must be the e-mail address of a person of this installation');
    return { url: made.link.url, purpose: made.purpose, expiresMs: made.link.expiresMs };
  });
}

/** Makes a link that goes to the e-mail. */
async function linkFor(store: LinkStore, tx: Queryable, { links }: PeopleDeps, email: string, nowMs: number) {
  const person = await personByEmail(tx, email);
  if (!person) return undefined;
  const purpose = person.isActive ? 'reset' : 'activate';
  const made = await makeLinks(store, tx, links, { purpose, provesEmail: true, userIds: [person.userId], nowMs });
  const link = made.get(person.userId);
  return link && { person, purpose, link };
}
