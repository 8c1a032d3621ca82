import { call, nodePath } from '../requests/call.ts';

/** Somebody hears of a category by these, in the Workspace of a node. */
export type Preference = { readonly category: string; readonly email: boolean; readonly sms: boolean };
export type Subscriber = {
  readonly email: string;
  readonly name: string;
  readonly preferences: readonly Preference[];
  /** Subscribed by themselves. */
  readonly isOwn: boolean;
  /** Their subscribed groups. */
  readonly groups: readonly string[];
};

type Person = {
  readonly name?: { readonly first?: string; readonly last?: string };
  readonly contact: { readonly email: string };
  readonly notificationCategories?: readonly Preference[];
};
type Answer = {
  readonly users: readonly Person[];
  readonly groups: readonly { readonly group: string; readonly users?: readonly Person[] }[];
};

const pathOf = (nodeId: string, more = ''): `/${string}` => `${nodePath(nodeId)}/notifications${more}`;
const nameOf = ({ name, contact }: Person): string =>
  [name?.first, name?.last].filter(Boolean).join(' ') || contact.email;

/** Lists everybody who is notified of a node, by themselves or by their groups, each once. */
export async function readSubscribers(nodeId: string, signal: AbortSignal): Promise<readonly Subscriber[]> {
  const { users, groups } = await call<Answer>('GET', pathOf(nodeId), { signal });
  const people = new Map<string, Subscriber>();
  const add = (person: Person, group?: string) => {
    const { email } = person.contact;
    const known = people.get(email);
    people.set(email, {
      email,
      name: nameOf(person),
      preferences: known?.preferences ?? person.notificationCategories ?? [],
      isOwn: (known?.isOwn ?? false) || group === undefined,
      groups: [...(known?.groups ?? []), ...(group === undefined ? [] : [group])],
    });
  };
  for (const person of users) add(person);
  for (const { group, users: members = [] } of groups) for (const person of members) add(person, group);
  return [...people.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Lists everybody who may see a node: those who can be notified of it. */
export async function readViewers(
  nodeId: string,
  signal: AbortSignal,
): Promise<readonly { readonly email: string; readonly name: string }[]> {
  const { users } = await call<Answer>('GET', pathOf(nodeId), { query: { subscribeType: 'ALL' }, signal });
  return users.map((person) => ({ email: person.contact.email, name: nameOf(person) }));
}

export const subscribe = (nodeId: string, email: string, isOn: boolean): Promise<unknown> =>
  call('POST', pathOf(nodeId, isOn ? '/subscribe' : '/unsubscribe'), { body: { users: [{ user: email }] } });

/** Ways that are not named stay as they are. */
export const setPreference = (nodeId: string, email: string, wanted: Preference): Promise<unknown> =>
  call('POST', pathOf(nodeId), { body: { users: [{ user: email, notificationCategories: [wanted] }] } });

export type Channel = 'email' | 'sms';

/** Writes to one person. @returns by which ways it goes */
export async function writeTo(
  nodeId: string,
  email: string,
  message: string,
  channels: readonly Channel[],
): Promise<readonly Channel[]> {
  const sent = await call<Record<Channel, number>>('POST', `${nodePath(nodeId)}/messages`, {
    body: { users: [email], message, channels },
  });
  return channels.filter((channel) => sent[channel] > 0);
}
