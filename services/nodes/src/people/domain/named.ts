import { invalidAttribute, isJsonObject, type JsonObject } from '../../domain/body/rule.ts';
import { readEmail } from '../../domain/body/texts.ts';
import { MAX_USERS_PER_LIST } from './user-entry.ts';

/** A request names users by e-mail and groups by name. */
export type Named = {
  readonly users: readonly { readonly at: string; readonly email: string }[];
  readonly groups: readonly { readonly at: string; readonly group: string }[];
};

/** Reads the body of a request that only names users and groups. @throws DomainError invalid_argument naming the attribute */
export function readNamed(body: JsonObject): Named {
  return {
    users: entriesOf(body, 'users').map(({ value, at }) => ({ at, email: readUser(value, at) })),
    groups: entriesOf(body, 'groups').map(({ value, at }) => ({ at, group: readGroupName(value, at) })),
  };
}

/** Returns the objects of a list of a body; none when it is not given. */
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

export function readGroupName({ group }: JsonObject, at: string): string {
  if (typeof group !== 'string' || group.trim() === '' || group.length > 300)
    throw invalidAttribute(`${at}.group`, 'must be the name of a group');
  return group.trim();
}
