import { parseTimeValueMs } from '@catchment/time';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { type GivenPreference, readPreferences } from '../../notifications/index.ts';
import { entriesOf, readGroupName, readUserEntry, type UserEntry } from '../../people/index.ts';

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

/** Entries of one workspace. */
export const MAX_ENTRIES_PER_WORKSPACE = 5_000;
