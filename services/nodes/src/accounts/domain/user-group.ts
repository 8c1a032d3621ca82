import { normaliseObjectId } from '@catchment/ids';
import { nameKey } from '../../domain/body/names.ts';
import { type Fields, invalidAttribute, isJsonObject } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';
import { MAX_USERS_PER_LIST, readUserEntries, type UserEntry } from '../../people/index.ts';

const MAX_GROUPS = 1_000;
export const GROUP = { name: { rule: { kind: 'text', min: 1, max: 120 } } } as const satisfies Fields;

export type GroupName = { readonly groupId: string; readonly name: string };

/** A body gives this of a group; absent parts are left as they are. */
export type GivenGroup = {
  readonly groupId?: string | undefined;
  readonly name?: string | undefined;
  readonly users?: readonly UserEntry[] | undefined;
};

/** A group after an update; `users` undefined = its users stay. */
export type PlannedGroup = GroupName & { readonly isNew: boolean; readonly users: readonly UserEntry[] | undefined };

/** Reads the groups of a body. @throws DomainError invalid_argument naming the attribute */
export function readGroups(value: unknown, at: string): GivenGroup[] {
  if (!Array.isArray(value)) throw invalidAttribute(at, 'must be an array');
  if (value.length > MAX_GROUPS) throw invalidAttribute(at, `must have at most ${MAX_GROUPS} entries`);
  const groups = value.map((item, i) => readGroup(item, `${at}[${i}]`));
  const people = new Set(groups.flatMap(({ users = [] }) => users.map(({ email }) => email)));
  if (people.size > 10 * MAX_USERS_PER_LIST)
    throw invalidAttribute(at, `must name at most ${10 * MAX_USERS_PER_LIST} people`);
  return groups;
}

/** One group of a body. @param at prefix for refusals; empty for the body itself */
export function readGroup(value: unknown, at: string): GivenGroup {
  if (!isJsonObject(value)) throw invalidAttribute(at, 'must be an object');
  const inside = (name: string) => (at === '' ? name : `${at}.${name}`);
  const { _id: id, name, users } = value;
  if (id !== undefined && id !== null && typeof id !== 'string')
    throw invalidAttribute(inside('_id'), 'must be the id of a group');
  return {
    groupId: typeof id === 'string' ? normaliseObjectId(id) : undefined,
    name: name === undefined || name === null ? undefined : readText(GROUP.name.rule, name, inside('name')),
    users: users === undefined || users === null ? undefined : readUserEntries(users, inside('users')),
  };
}

/**
 * Returns the groups after `PUT /owners/account` (docs/reference/people-and-security.md#changing-the-account): `_id` selects, else the
 * name does, else the group is new; stored groups that nothing selects are gone.
 * @throws DomainError invalid_argument
 */
export function planGroups(
  stored: readonly GroupName[],
  given: readonly GivenGroup[],
  newId: () => string,
): PlannedGroup[] {
  const byId = new Map(stored.map((group) => [group.groupId, group]));
  const byName = new Map(stored.map((group) => [nameKey(group.name), group]));
  const selected = new Set<string>();
  const planned = given.map(({ groupId, name, users }, i): PlannedGroup => {
    const found = byId.get(groupId ?? '') ?? (name === undefined ? undefined : byName.get(nameKey(name)));
    if (!found) {
      if (name === undefined) throw invalidAttribute(`groups[${i}].name`, 'is required for a new group');
      return { groupId: newId(), name, isNew: true, users: users ?? [] };
    }
    if (selected.has(found.groupId)) throw invalidAttribute(`groups[${i}]`, 'names a group that another entry names');
    selected.add(found.groupId);
    return { groupId: found.groupId, name: name ?? found.name, isNew: false, users };
  });
  checkUnique(planned.map(({ name }, i) => ({ name, at: `groups[${i}].name` })));
  return planned;
}

/** Plans new groups beside the stored ones (`POST …/groups`). @throws DomainError invalid_argument */
export function planNewGroups(
  stored: readonly GroupName[],
  given: readonly GivenGroup[],
  newId: () => string,
): PlannedGroup[] {
  if (stored.length + given.length > MAX_GROUPS)
    throw invalidAttribute('body', `an account may have at most ${MAX_GROUPS} groups`);
  const planned = given.map(({ name, users }, i): PlannedGroup => {
    if (name === undefined) throw invalidAttribute(`body[${i}].name`, 'is required');
    if (users === undefined) throw invalidAttribute(`body[${i}].users`, 'is required');
    return { groupId: newId(), name, isNew: true, users };
  });
  checkUnique([
    ...stored.map(({ name }) => ({ name, at: 'name' })),
    ...planned.map(({ name }, i) => ({ name, at: `body[${i}].name` })),
  ]);
  return planned;
}

/** Returns a stored group under another name. @throws DomainError invalid_argument when another one has it */
export function checkRename(stored: readonly GroupName[], groupId: string, name: string): void {
  checkUnique(
    [...stored.filter((group) => group.groupId !== groupId), { name }].map((named) => ({ ...named, at: 'name' })),
  );
}

function checkUnique(names: readonly { name: string; at: string }[]): void {
  const seen = new Set<string>();
  for (const { name, at } of names) {
    const key = nameKey(name);
    if (seen.has(key)) throw invalidAttribute(at, 'must be unique among the groups of the account, letter case aside');
    seen.add(key);
  }
}
