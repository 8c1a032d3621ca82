import { parseTimeValueMs } from '@catchment/time';
import { readEmail } from '../../accounts/domain/account.ts';
import { nameKey } from '../../body/domain/names.ts';
import { invalidAttribute, isJsonObject, type JsonObject } from '../../body/domain/rule.ts';
import { type GivenPreference, readPreferences } from '../../notifications/domain/notification-preference.ts';
import { MAX_USERS_PER_LIST, readUserEntry, type UserEntry } from '../../people/domain/user-entry.ts';

type Given = {
  /** Name of the entry for refusals, for example `users[0]`. */
  readonly at: string;
  readonly role: string;
  /** Unix ms; null = does not end; undefined = as it is. */
  readonly expiresMs: number | null | undefined;
};

/** A user or group to whom access is to be given (docs/reference/people-and-security.md#granting-and-revoking-access). */
export type GivenUser = Given & { readonly profile: UserEntry; readonly preferences: readonly GivenPreference[] };
export type GivenGroup = Given & { readonly group: string };

/** Users and groups of a request by e-mail and name. */
export type Named = {
  readonly users: readonly { readonly at: string; readonly email: string }[];
  readonly groups: readonly { readonly at: string; readonly group: string }[];
};

/**
 * Body of `security/subscribe`.
 * @param nowMs Unix ms; an end must lie after it
 * @throws DomainError invalid_argument naming the attribute
 */
export function readAccessBody(body: JsonObject, nowMs: number): { users: GivenUser[]; groups: GivenGroup[] } {
  const given = (value: JsonObject, at: string): Given => ({
    at,
    role: readRole(value, `${at}.role`),
    expiresMs: readEnd(value, `${at}.expiryTime`, nowMs),
  });
  const users = entriesOf(body, 'users').map(({ value, at }) => ({
    ...given(value, at),
    profile: readUserEntry(value, at),
    preferences: readPreferences(value.notificationCategories, `${at}.notificationCategories`),
  }));
  const groups = entriesOf(body, 'groups').map(({ value, at }) => ({
    ...given(value, at),
    group: readGroupName(value, at),
  }));
  checkOnce(users.map(({ at, profile }) => ({ key: profile.email, at: `${at}.user` })));
  checkOnce(groups.map(({ at, group }) => ({ key: nameKey(group), at: `${at}.group` })));
  return { users, groups };
}

/** Body of requests that only name users and groups. @throws DomainError invalid_argument naming the attribute */
export function readNamed(body: JsonObject): Named {
  return {
    users: entriesOf(body, 'users').map(({ value, at }) => ({ at, email: readUser(value, at) })),
    groups: entriesOf(body, 'groups').map(({ value, at }) => ({ at, group: readGroupName(value, at) })),
  };
}

/** The objects of a list of a body; none when it is not given. */
export function entriesOf(body: JsonObject, name: string): { value: JsonObject; at: string }[] {
  const list = body[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw invalidAttribute(name, 'must be an array');
  if (list.length > MAX_USERS_PER_LIST) throw invalidAttribute(name, `must have at most ${MAX_USERS_PER_LIST} entries`);
  return list.map((value: unknown, i) => {
    const at = `${name}[${i}]`;
    if (!isJsonObject(value)) throw invalidAttribute(at, 'must be an object');
    return { value, at };
  });
}

export const readUser = (value: JsonObject, at: string): string => readEmail(value.user, `${at}.user`);

function readGroupName({ group }: JsonObject, at: string): string {
  if (typeof group !== 'string' || group.trim() === '' || group.length > 300)
    throw invalidAttribute(`${at}.group`, 'must be the name of a group');
  return group.trim();
}

function readRole({ role }: JsonObject, at: string): string {
  if (typeof role !== 'string' || role.trim() === '' || role.length > 300)
    throw invalidAttribute(at, 'must be the name of a role');
  return role.trim();
}

function readEnd({ expiryTime }: JsonObject, at: string, nowMs: number): number | null | undefined {
  if (expiryTime === undefined || expiryTime === null) return expiryTime;
  const ms = typeof expiryTime === 'string' ? parseTimeValueMs(expiryTime) : undefined;
  if (ms === undefined) throw invalidAttribute(at, 'must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z');
  if (ms <= nowMs) throw invalidAttribute(at, 'must be in the future');
  return ms;
}

function checkOnce(names: readonly { key: string; at: string }[]): void {
  const seen = new Set<string>();
  for (const { key, at } of names) {
    if (seen.has(key)) throw invalidAttribute(at, 'is named by another entry already');
    seen.add(key);
  }
}
