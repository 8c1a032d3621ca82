import { hash } from 'node:crypto';
import { appendMails } from '@catchment/mail';
import { type AccountChange, readOwner } from '../../changes/index.ts';
import type { AccessNews, MailFacts } from '../domain/mail-facts.ts';
import type { NamedPeople } from '../domain/named-people.ts';
import type { PersonLinks } from '../domain/person-link.ts';
import { type MailPerson, mailPeople } from '../store/sign-in-query.ts';
import { makeLinks } from './make-links.ts';
import type { AttemptCounts, LinkStore } from './ports.ts';

/** One account mails this many links to one address a day: repeated requests cannot flood a mailbox. */
const LINK_MAILS_A_DAY = 10;
const DAY_MS = 86_400_000;

type MailChange = Pick<AccountChange, 'tx' | 'nowMs' | 'cause'> & { readonly owner: { readonly owner_id: string } };

/**
 * Informs people of their access, one mail each: those whose profile is not finished get the welcome mail with a
 * new activation link, the others what was granted, changed or revoked. The mails are part of the change's transaction.
 *
 * Without `notify`, mails go only to people who need one to get in: those who have lost a password by the change, and those who are
 * new to the account but known elsewhere. The latter is looked up when the mail is sent (`writeMail`), so that the answer takes the
 * same time for everybody.
 */
export async function queueMail(
  store: AttemptCounts & LinkStore,
  change: MailChange,
  links: PersonLinks,
  news: readonly AccessNews[],
  {
    notify,
    people: named,
  }: { readonly notify: boolean; readonly people?: Pick<NamedPeople, 'newUserIds' | 'releasedUserIds'> },
): Promise<void> {
  const { tx, owner, nowMs, cause } = change;
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
  const people = await withoutFlooded(store, change, concerned, isWelcomed);
  const userIds = people.filter(isWelcomed).map(({ userId }) => userId);
  const made = await makeLinks(store, tx, links, { purpose: 'activate', provesEmail: true, userIds, nowMs });
  // The change may have renamed the account.
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

/** Leaves out people to whom the account has sent enough links today. */
async function withoutFlooded(
  { countAttempts }: AttemptCounts,
  { tx, owner, nowMs }: MailChange,
  people: readonly MailPerson[],
  isWelcomed: (person: MailPerson) => boolean,
): Promise<readonly MailPerson[]> {
  const keyOf = ({ email }: MailPerson) =>
    hash('sha256', JSON.stringify(['link mail', owner.owner_id, email]), 'buffer');
  const keys = people.filter(isWelcomed).map(keyOf);
  const counts = await countAttempts(tx, keys, nowMs, DAY_MS);
  return people.filter(
    (person) => !isWelcomed(person) || (counts.get(keyOf(person).toString('hex')) ?? 0) <= LINK_MAILS_A_DAY,
  );
}
