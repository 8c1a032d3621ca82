import { hash, randomUUID } from 'node:crypto';
import { appendMails } from '@catchment/mail';
import type { Queryable } from '@catchment/pg';
import { readOwner } from '../../accounts/store/pg-owners.ts';
import type { AccountChange } from '../../changes/usecases/change-account.ts';
import type { AccessNews, MailFacts } from '../domain/mail-facts.ts';
import { hashOfToken, LINK_LIFE_MS, type LinkPurpose, type PersonLinks } from '../domain/person-link.ts';
import { countAttempts } from '../store/pg-attempts.ts';
import { insertLinks } from '../store/pg-person-links.ts';
import { type MailPerson, mailPeople } from '../store/pg-sign-in.ts';
import type { NamedPeople } from './name-people.ts';

export type { AccessNews } from '../domain/mail-facts.ts';

/** Mails with a link from one account to one address, a day: nobody is flooded by being named again and again. */
const LINK_MAILS_A_DAY = 10;
const DAY_MS = 86_400_000;

/**
 * A new link for each person.
 * @param options.provesEmail it goes to the e-mail itself, or is handed over by whoever runs the installation
 * @returns their addresses by user id, to be shown this once
 */
export async function makeLinks(
  tx: Queryable,
  links: PersonLinks,
  options: { purpose: LinkPurpose; provesEmail: boolean; userIds: readonly string[]; nowMs: number },
): Promise<ReadonlyMap<string, { linkId: string; url: string; expiresMs: number }>> {
  const { purpose, provesEmail, userIds, nowMs } = options;
  const expiresMs = nowMs + LINK_LIFE_MS[purpose];
  const made = new Map(userIds.map((userId) => [userId, randomUUID()] as const));
  await insertLinks(
    tx,
    [...made].map(([userId, linkId]) => ({
      linkId,
      userId,
      purpose,
      provesEmail,
      tokenSha256: hashOfToken(links.tokenOf(linkId)) as Buffer,
      createdMs: nowMs,
      expiresMs,
    })),
  );
  return new Map(
    [...made].map(([userId, linkId]) => [userId, { linkId, url: links.urlOf(purpose, linkId), expiresMs }]),
  );
}

/**
 * Tells people by mail what they may do now, one mail each: those whose profile is not finished get the welcome mail with a
 * new activation link, the others what was granted, changed or revoked. The mails are part of the change's transaction.
 *
 * Without `notify` only those hear of it who need a mail to get in: who has lost a password by it, and who is new to the account but
 * known elsewhere. Whether somebody is, the one who sends the mail looks up (`writeMail`), so that the answer takes the same time.
 */
export async function queueMail(
  {
    tx,
    owner,
    nowMs,
    cause,
  }: Pick<AccountChange, 'tx' | 'nowMs' | 'cause'> & { readonly owner: { readonly owner_id: string } },
  links: PersonLinks,
  news: readonly AccessNews[],
  notify: boolean,
  named?: Pick<NamedPeople, 'newUserIds' | 'releasedUserIds'>,
): Promise<void> {
  const byPerson = Map.groupBy(
    news.filter(({ userId }) => notify || named?.newUserIds.has(userId) || named?.releasedUserIds.has(userId)),
    ({ userId }) => userId,
  );
  if (byPerson.size === 0) return;
  const newsOf = ({ userId, isActive }: MailPerson) =>
    (byPerson.get(userId) ?? [])
      .filter(({ change }) => change !== 'kept' || !isActive)
      .map(({ change, what }) => ({ change, what }));
  const concerned = (await mailPeople(tx, [...byPerson.keys()])).filter((person) => newsOf(person).length > 0);
  const isWelcomed = (person: MailPerson) =>
    !person.isActive && newsOf(person).some(({ change }) => change !== 'revoked');
  const people = await withoutFlooded(tx, owner.owner_id, concerned, isWelcomed, nowMs);
  const userIds = people.filter(isWelcomed).map(({ userId }) => userId);
  const made = await makeLinks(tx, links, { purpose: 'activate', provesEmail: true, userIds, nowMs });
  // The account as it is after the change.
  const { account_name: accountName } = await readOwner(tx, owner.owner_id);
  const mails = people.map((person) => {
    const link = made.get(person.userId);
    const facts: MailFacts = {
      firstName: person.firstName,
      accountName,
      by: cause.username,
      news: newsOf(person),
      ...(link && { linkId: link.linkId, linkExpiresMs: link.expiresMs }),
      ...(!notify && named?.newUserIds.has(person.userId) && { onlyIfKnown: true }),
    };
    return { recipient: person.email, template: link ? 'welcome' : 'access', facts };
  });
  await appendMails(tx, mails, nowMs);
}

/** Leaves out whom the account has sent enough links today. */
async function withoutFlooded(
  tx: Queryable,
  ownerId: string,
  people: readonly MailPerson[],
  isWelcomed: (person: MailPerson) => boolean,
  nowMs: number,
): Promise<readonly MailPerson[]> {
  const keyOf = ({ email }: MailPerson) => hash('sha256', JSON.stringify(['link mail', ownerId, email]), 'buffer');
  const keys = people.filter(isWelcomed).map(keyOf);
  const counts = await countAttempts(tx, keys, nowMs, DAY_MS);
  return people.filter(
    (person) => !isWelcomed(person) || (counts.get(keyOf(person).toString('hex')) ?? 0) <= LINK_MAILS_A_DAY,
  );
}
