import { randomUUID } from 'node:crypto';
import { appendMails } from '@catchment/mail';
import type { Queryable } from '@catchment/pg';
import type { AccessNews, MailFacts } from '../../domain/mail-facts.ts';
import { hashOfToken, LINK_LIFE_MS, type LinkPurpose, type PersonLinks } from '../../domain/person-link.ts';
import { readOwner } from '../../store/pg-owners.ts';
import { insertLinks } from '../../store/pg-person-links.ts';
import { type MailPerson, mailPeople } from '../../store/pg-sign-in.ts';
import type { AccountChange } from '../accounts/change-account.ts';

export type { AccessNews } from '../../domain/mail-facts.ts';

/** A new link for each person. @returns their addresses by user id, to be shown this once */
export async function makeLinks(
  tx: Queryable,
  links: PersonLinks,
  purpose: LinkPurpose,
  userIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, { linkId: string; url: string; expiresMs: number }>> {
  const expiresMs = nowMs + LINK_LIFE_MS[purpose];
  const made = new Map(userIds.map((userId) => [userId, randomUUID()] as const));
  await insertLinks(
    tx,
    [...made].map(([userId, linkId]) => ({
      linkId,
      userId,
      purpose,
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
 */
export async function queueMail(
  { tx, owner, nowMs, cause }: Pick<AccountChange, 'tx' | 'owner' | 'nowMs' | 'cause'>,
  links: PersonLinks,
  news: readonly AccessNews[],
): Promise<void> {
  const byPerson = Map.groupBy(news, ({ userId }) => userId);
  const newsOf = ({ userId, isActive }: MailPerson) =>
    (byPerson.get(userId) ?? [])
      .filter(({ change }) => change !== 'kept' || !isActive)
      .map(({ change, what }) => ({ change, what }));
  const people = (await mailPeople(tx, [...byPerson.keys()])).filter((person) => newsOf(person).length > 0);
  const welcomed = people.filter(
    (person) => !person.isActive && newsOf(person).some(({ change }) => change !== 'revoked'),
  );
  const made = await makeLinks(
    tx,
    links,
    'activate',
    welcomed.map(({ userId }) => userId),
    nowMs,
  );
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
    };
    return { recipient: person.email, template: link ? 'welcome' : 'access', facts };
  });
  await appendMails(tx, mails, nowMs);
}
