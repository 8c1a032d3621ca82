import { signal } from '@preact/signals';
import { call } from '../requests/call.ts';
import { onEvents, onNodes } from '../streams/live.ts';
import { type AccessPage, NOTHING, withPage } from './people-pages.ts';

type Name = { readonly first?: string | null; readonly last?: string | null };
/** The role is empty where it has been deleted since, or where groups alone give access. */
export type Access = {
  readonly role: string;
  readonly permissions?: readonly string[];
  readonly expiryTime?: string | null;
};
type Listed = {
  readonly name?: Name | null;
  readonly contact: { readonly email: string };
  readonly account?: { readonly lastLoginTime: string | null };
  /** Owners and administrators may do everything. */
  readonly role: 'OWNER' | 'ADMINISTRATOR' | null;
};
export type User = { readonly user: string };
export type Group = {
  readonly group: string;
  readonly users: readonly User[];
  /** Only who may change groups knows it. */
  readonly _id?: string;
};
/** People have access to a Workspace by a separate entry (docs/reference/people-and-security.md#who-has-access-where). */
export type Workspace = {
  readonly _id: string;
  readonly name: string;
  /** The reader's rights there. */
  readonly permissions: readonly string[];
  readonly users: readonly (User & Access)[];
  readonly groups: readonly ({ readonly group: string } & Access)[];
};
export type Role = {
  readonly _id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly revision: number;
};

export type People = {
  readonly people: readonly Listed[];
  readonly groups: readonly Group[];
  readonly workspaces: readonly Workspace[];
  /** There are more Workspaces than these. */
  readonly hasMore: boolean;
  /** The others are on their way. */
  readonly isReading: boolean;
  readonly roles: readonly Role[];
};

/** The person may see these people of the account; undefined: not read yet. */
export const people = signal<People | undefined>(undefined);

/** This many are read, a page at a time, and as many more each time that they are asked for. */
const MOST_WORKSPACES = 1_000;
const PAGE_OF_WORKSPACES = 100;

export type ReadAccess = AccessPage<Listed, Group, Workspace>;

let most = MOST_WORKSPACES;
let readings = 0;

/**
 * Reads all of it anew. The first time it is shown as it comes: the first page is all, as a rule. Afterwards what is shown stays until
 * all is there.
 */
export async function readPeople(): Promise<void> {
  readings += 1;
  const mine = readings;
  const isFirst = people.peek() === undefined;
  const roles = readRoles();
  // A refusal of the pages comes first, then.
  roles.catch(() => undefined);
  let read: ReadAccess = NOTHING;
  while (read.next !== null && read.workspaces.length < most) {
    const query = { skip: read.next, limit: PAGE_OF_WORKSPACES };
    read = withPage(read, await call<ReadAccess>('GET', '/owners/account/access', { query }));
    const { next, ...found } = read;
    const isLast = next === null || read.workspaces.length >= most;
    const all = { ...found, roles: await roles, hasMore: next !== null, isReading: !isLast };
    // An answer that was asked for before another one may be older than that.
    if (mine !== readings) return;
    if (isFirst || isLast) people.value = all;
  }
}

/** Reads more of the Workspaces, and as many from then on. */
export function readMorePeople(): Promise<void> {
  most += MOST_WORKSPACES;
  return readPeople();
}

/** Events of one change come together. */
const CALM_MS = 400;

/** Follows what others change, for as long as a page shows it. @returns what ends it */
export function followPeople(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void readPeople().catch(() => undefined), CALM_MS);
  };
  const ends = [
    onEvents((event) => {
      if (event.eventType === 'SECURITY') soon();
    }),
    onNodes((news) => {
      if (news.kind === 'reset') soon();
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}

export const readRoles = (): Promise<readonly Role[]> => call('GET', '/owners/account/roles');

/** Waits for a change, and reads what it has made of everything. */
export async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    // This holds also after a refusal: what is shown may be what has been overtaken.
    await readPeople().catch(() => undefined);
  }
}
