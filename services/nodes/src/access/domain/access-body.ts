import { nameKey } from '../../domain/body/names.ts';
import { type Fields, invalidAttribute, type JsonObject, NO_CONTEXT, readObject } from '../../domain/body/rule.ts';
import { type GivenPreference, readPreferences } from '../../notifications/index.ts';
import { entriesOf, readGroupName, readUserEntry, type UserEntry } from '../../people/index.ts';

/** What a caller asks at a node; with `notify`, the people concerned get a mail about it. */
export type AccessRequest = { readonly nodeRef: string; readonly body: JsonObject; readonly notify: boolean };

type Given = {
  /** Refusals call the entry by this name, for example `users[0]`. */
  readonly at: string;
  readonly role: string;
  /** Unix ms; null = does not end; undefined = as it is. */
  readonly expiresMs: number | null | undefined;
  /** This access must be there for the new one to be given, null = none; undefined = any. */
  readonly was: Was | null | undefined;
};
type Was = { readonly role: string; readonly expiresMs: number | null };

/** Access is to be given to a user or group (docs/reference/people-and-security.md#granting-and-revoking-access). */
export type GivenUser = Given & { readonly profile: UserEntry; readonly preferences: readonly GivenPreference[] };
export type GivenGroup = Given & { readonly group: string };

/** Attributes of a user's or group's access; `expiryTime` null = the access does not end, absent = as it is. */
export const ACCESS: Fields = {
  role: { rule: { kind: 'text', max: 300, pattern: /\S/, rule: 'must be the name of a role' }, required: true },
  expiryTime: { rule: { kind: 'time' } },
};

const WAS: Fields = { role: { rule: { kind: 'text', max: 300 } }, expiryTime: { rule: { kind: 'time' } } };

function readWas(was: unknown, at: string): Given['was'] {
  if (was === undefined || was === null) return was;
  const { role = '', expiryTime } = readObject(WAS, was, at, NO_CONTEXT) as {
    role?: string | null;
    expiryTime?: string | null;
  };
  return { role: (role ?? '').trim(), expiresMs: expiryTime ? Date.parse(expiryTime) : null };
}

/**
 * Body of `security/subscribe`.
 * @param nowMs Unix ms; an end must lie after it
 * @throws DomainError invalid_argument naming the attribute
 */
export function readAccessBody(body: JsonObject, nowMs: number): { users: GivenUser[]; groups: GivenGroup[] } {
  const given = (value: JsonObject, at: string): Given => {
    const entry = { ...value, role: value.role ?? '' };
    const { role, expiryTime } = readObject(ACCESS, entry, at, NO_CONTEXT) as { role: string; expiryTime?: string };
    const expiresMs = endOf(value.expiryTime === null ? null : expiryTime, at, nowMs);
    return { at, role: role.trim(), expiresMs, was: readWas(value.was, `${at}.was`) };
  };
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

function endOf(expiryTime: string | null | undefined, at: string, nowMs: number): Given['expiresMs'] {
  if (expiryTime === undefined || expiryTime === null) return expiryTime;
  const endMs = Date.parse(expiryTime);
  if (endMs <= nowMs) throw invalidAttribute(`${at}.expiryTime`, 'must be in the future');
  return endMs;
}

function checkOnce(names: readonly { key: string; at: string }[]): void {
  const seen = new Set<string>();
  for (const { key, at } of names) {
    if (seen.has(key)) throw invalidAttribute(at, 'is named by another entry already');
    seen.add(key);
  }
}
