type Person = { readonly contact: { readonly email: string } };
type Group = { readonly group: string };

/** People with access to each node are here, as far as they are read. */
export type AccessPage<P extends Person, G extends Group, W> = {
  readonly people: readonly P[];
  readonly groups: readonly G[];
  readonly workspaces: readonly W[];
  /** The next page begins here; null where there is none. */
  readonly next: number | null;
};

export const NOTHING: AccessPage<never, never, never> = { people: [], groups: [], workspaces: [], next: 0 };

/** Adds a page: who is in several is there once, as the last one has it. */
export function withPage<P extends Person, G extends Group, W>(
  before: AccessPage<P, G, W>,
  page: AccessPage<P, G, W>,
): AccessPage<P, G, W> {
  const emails = new Set(page.people.map(({ contact }) => contact.email));
  const names = new Set(page.groups.map(({ group }) => group));
  return {
    people: [...before.people.filter(({ contact }) => !emails.has(contact.email)), ...page.people],
    groups: [...before.groups.filter(({ group }) => !names.has(group)), ...page.groups],
    workspaces: [...before.workspaces, ...page.workspaces],
    next: page.next,
  };
}
