import { call } from '../requests/call.ts';
import { changePerson, start } from '../session/session.ts';
import type { Preference } from './subscribers.ts';

/** docs/reference/people-and-security.md#people */
export type Profile = {
  readonly name: { readonly first: string; readonly last: string };
  readonly contact: { readonly email: string; readonly phone?: string };
  readonly timezone: string;
  readonly timezoneAdjustForDst: boolean;
  readonly timeFormat: string;
  readonly createdTime: string;
};
export type ProfileChange = Partial<
  Pick<Profile, 'name' | 'timezone' | 'timezoneAdjustForDst' | 'timeFormat'> & { readonly phone: string | null }
>;

export const readProfile = (signal: AbortSignal): Promise<Profile> => call('GET', '/users/me', { signal });

/** Saves it; from then on the page shows times and the name as it says. */
export async function saveProfile(change: ProfileChange): Promise<Profile> {
  const profile = await call<Profile>('PUT', '/users/me', { body: change });
  const { name, timezone, timezoneAdjustForDst: adjustForDst, timeFormat } = profile;
  changePerson({
    name: `${name.first} ${name.last}`.trim() || start().person.email,
    timezone,
    adjustForDst,
    timeFormat,
  });
  return profile;
}

/** docs/reference/authentication.md#api-keys */
export type OwnKey = {
  readonly _id: string;
  readonly label: string;
  readonly last4: string;
  readonly permission: string;
  readonly accessLevel: string;
  readonly workspaceIds?: readonly string[];
  readonly createdTime: string;
  readonly lastUsedTime?: string;
  /** The answer that made the key alone has it. */
  readonly key?: string;
};
export type NewKey = Pick<OwnKey, 'label' | 'permission' | 'accessLevel' | 'workspaceIds'>;

export const readKeys = (signal: AbortSignal): Promise<readonly OwnKey[]> =>
  call('GET', '/users/me/apikeys', { signal });
/** @param key with which the same may be asked for again */
export const createKey = (body: NewKey, key: string): Promise<OwnKey> =>
  call('POST', '/users/me/apikeys', { body, key });
export const deleteKey = (id: string): Promise<unknown> =>
  call('DELETE', `/users/me/apikeys/${encodeURIComponent(id)}`);

type OwnWorkspace = { readonly _id: string; readonly name: string };
/** A key may name as many. */
const MOST_WORKSPACES = 1_000;
export const readWorkspaces = (signal: AbortSignal): Promise<readonly OwnWorkspace[]> =>
  call('GET', '/nodes', {
    query: {
      attr: '_id,name',
      filter: '_class($match:node.Workspace)',
      sort: 'name',
      type: 'LIST',
      limit: MOST_WORKSPACES,
    },
    signal,
  });

/** docs/reference/notifications.md#own-notifications */
export type OwnNotifications = {
  readonly workspaces: readonly {
    readonly _id: string;
    readonly name: string;
    readonly permissions: readonly string[];
    readonly notificationCategories: readonly Preference[];
    readonly nodes: readonly {
      readonly _id: string;
      readonly _class: string;
      readonly name: string;
      readonly path: string;
      readonly isOwn: boolean;
      readonly groups: readonly string[];
      readonly isStopped: boolean;
    }[];
  }[];
  readonly hasMore: boolean;
};
export const readNotifications = (signal: AbortSignal): Promise<OwnNotifications> =>
  call('GET', '/users/me/notifications', { signal });

/** docs/reference/people-and-security.md#sign-ins */
export type SignIn = {
  readonly _id: string;
  readonly time: string;
  readonly way: 'password' | 'link';
  readonly clientAddress: string;
  readonly userAgent: string;
  /** Absent: its session has ended. */
  readonly lastUsedTime?: string;
  readonly expiresTime?: string;
  readonly isCurrent: boolean;
};
export const readSignIns = (signal: AbortSignal): Promise<readonly SignIn[]> =>
  call('GET', '/users/me/sign-ins', { signal });
export const endSignIn = (id: string): Promise<unknown> =>
  call('DELETE', `/users/me/sign-ins/${encodeURIComponent(id)}`);
