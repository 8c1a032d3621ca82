import { newObjectId } from '@catchment/ids';
import type { PersonLinks } from '../../domain/person-link.ts';
import type { UserEntry } from '../../domain/user-entry.ts';
import { ensureUsers } from '../../store/pg-people.ts';
import type { AccountChange } from '../accounts/change-account.ts';
import { makeLinks } from './queue-mail.ts';

export type NamedPeople = {
  /** By e-mail. */
  readonly userIds: ReadonlyMap<string, string>;
  /** `profileActivateUrl` by user id, of those whose profile this has made: shown in its answer and never again. */
  readonly activateUrls: ReadonlyMap<string, string>;
};

/** Everybody who is named by e-mail; unknown people get a profile from the first entry that names them (semantics 11.1). */
export async function namePeople(
  { tx, nowMs }: Pick<AccountChange, 'tx' | 'nowMs'>,
  links: PersonLinks,
  entries: readonly UserEntry[],
): Promise<NamedPeople> {
  const byEmail = new Map(entries.toReversed().map((entry) => [entry.email, entry]));
  const newUsers = [...byEmail.values()].map((entry) => ({ ...entry, userId: newObjectId(nowMs) }));
  const { userIds, newUserIds } = await ensureUsers(tx, newUsers, nowMs);
  const made = await makeLinks(tx, links, 'activate', newUserIds, nowMs);
  return { userIds, activateUrls: new Map([...made].map(([userId, { url }]) => [userId, url])) };
}
