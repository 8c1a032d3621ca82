import type { People } from './people.ts';

export type ReadAccess = Pick<People, 'people' | 'groups' | 'workspaces'> & { readonly next: number | null };

export const NOTHING: ReadAccess = { people: [], groups: [], workspaces: [], next: 0 };

/** With what an answer adds: who is in several is there once. */
export function withPage(before: ReadAccess, page: ReadAccess): ReadAccess {
  const emails = new Set(page.people.map(({ contact }) => contact.email));
  const names = new Set(page.groups.map(({ group }) => group));
  return {
    people: [...before.people.filter(({ contact }) => !emails.has(contact.email)), ...page.people],
    groups: [...before.groups.filter(({ group }) => !names.has(group)), ...page.groups],
    workspaces: [...before.workspaces, ...page.workspaces],
    next: page.next,
  };
}
