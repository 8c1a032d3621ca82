import { newObjectId } from '@catchment/ids';
import { appendOutbox } from '@catchment/pg';
import { type AccountChange, keysDeleted } from '../../changes/index.ts';
import type { NamedPeople } from '../domain/named-people.ts';
import type { PersonLinks } from '../domain/person-link.ts';
import type { UserEntry } from '../domain/user-entry.ts';
import { knownPeople } from '../store/people-query.ts';
import { makeLinks } from './make-links.ts';
import type { LinkStore, ProfileStore } from './ports.ts';

/** The users of one Workspace see an answer, or (null) those who may do everything in the account. */
type Audience = { readonly workspaceId: string | null };
export const ACCOUNT_AUDIENCE: Audience = { workspaceId: null };

/**
 * Returns the people that an account names by e-mail. A person who is new to the account gets a profile there from the first entry that
 * names them (docs/reference/people-and-security.md#people), whether or not anybody else knows the e-mail: the answer is the same. A link
 * in an answer lets its reader be that profile. So a profile whose link users of a Workspace were given is released from it before others
 * trust the e-mail with more: its password counts no longer, and its owner gets a new link.
 */
export async function namePeople(
  store: ProfileStore & LinkStore,
  {
    tx,
    nowMs,
    owner,
    cause,
  }: Pick<AccountChange, 'tx' | 'nowMs' | 'cause'> & { readonly owner: { readonly owner_id: string } },
  links: PersonLinks,
  entries: readonly UserEntry[],
  audience: Audience,
): Promise<NamedPeople> {
  const byEmail = new Map(entries.toReversed().map((entry) => [entry.email, entry]));
  const known = await knownPeople(tx, owner.owner_id, [...byEmail.keys()]);
  const profiles = [...byEmail.values()]
    .filter(({ email }) => !known.has(email))
    .map((entry) => ({ ...entry, userId: newObjectId(nowMs) }));
  await store.insertProfiles(tx, owner.owner_id, profiles, audience.workspaceId, nowMs);
  const newUserIds = profiles.map(({ userId }) => userId);
  const released = [...known.values()]
    .filter(({ isProven, linkWorkspaceId: given }) => !isProven && given !== null && given !== audience.workspaceId)
    .map(({ userId }) => userId);
  if (released.length > 0) await appendOutbox(tx, keysDeleted(await store.dropClaims(tx, released), cause));
  // Users of another Workspace would get at what the profile has in the first one.
  const shown = audience.workspaceId === null ? [...newUserIds, ...released] : newUserIds;
  const made = await makeLinks(store, tx, links, { purpose: 'activate', provesEmail: false, userIds: shown, nowMs });
  return {
    userIds: new Map([
      ...[...known.values()].map(({ email, userId }) => [email, userId] as const),
      ...profiles.map(({ email, userId }) => [email, userId] as const),
    ]),
    newUserIds: new Set(newUserIds),
    activateUrls: new Map([...made].map(([userId, { url }]) => [userId, url])),
    releasedUserIds: new Set(released),
  };
}
