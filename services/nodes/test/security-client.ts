import type { ApiCaller } from '@catchment/access';
import { sha256OfKey } from '@catchment/ids';
import type { Fixture } from './fixture.ts';

export type Access = Record<string, unknown> & {
  user?: string;
  group?: string;
  role: string;
  permissions: string[];
  profileActivateUrl?: string;
};
type SecurityUser = {
  name: { first: string; last: string };
  contact: { email: string };
  account: { lastLoginTime: string | null };
  role: string;
  permissions: string[];
  effectivePermissions?: string[];
  expiryTime?: string;
  notificationCategories: { category: string; email: boolean; sms: boolean }[];
};
type SecurityGroup = {
  group: string;
  role: string;
  permissions: string[];
  expiryTime?: string;
  users: SecurityUser[];
};
export type AccessList = {
  people: (Pick<SecurityUser, 'name' | 'contact'> & { role: string | null })[];
  groups: { group: string; users: { user: string }[] }[];
  workspaces: { _id: string; name: string; permissions: string[]; users: Access[]; groups: Access[] }[];
  next: number | null;
};
export type OwnNotifications = {
  workspaces: {
    _id: string;
    notificationCategories: SecurityUser['notificationCategories'];
    nodes: { _id: string; path: string; isOwn: boolean; groups: string[]; isStopped: boolean }[];
  }[];
  hasMore: boolean;
};
export type Listing = { users: SecurityUser[]; groups: SecurityGroup[] };

/** Calls the security and notification operations of the API as a caller. */
export async function securityClient(f: Fixture, caller: ApiCaller) {
  const options = await f.optionsOf(caller);
  const body = (value: unknown) => Buffer.from(JSON.stringify(value));
  const parse = <T>({ json }: { json: Uint8Array }) => JSON.parse(Buffer.from(json).toString()) as T;
  return {
    get: async (nodeRef: string) => parse<Listing>(await f.security.getSecurity({ nodeRef }, options)),
    all: async (skip = 0, limit = 100) => parse<AccessList>(await f.security.listAccess({ skip, limit }, options)),
    own: async () => parse<OwnNotifications>(await f.security.getOwnNotifications({}, options)),
    grant: async (nodeRef: string, value: unknown, notify = false) =>
      parse<{ added: Access[]; updated: Access[] }>(
        await f.security.grantAccess({ nodeRef, body: body(value), notify }, options),
      ),
    revoke: async (nodeRef: string, value: unknown, notify = false) =>
      parse<{ removed: object[] }>(await f.security.revokeAccess({ nodeRef, body: body(value), notify }, options))
        .removed,
    notifications: async (nodeRef: string, subscribeType = '') =>
      parse<Listing>(await f.security.getNotifications({ nodeRef, subscribeType }, options)),
    prefer: async (nodeRef: string, value: unknown) =>
      parse<{ users: { user: string; notificationCategories: SecurityUser['notificationCategories'] }[] }>(
        await f.security.setPreferences({ nodeRef, body: body(value) }, options),
      ).users,
    enabled: async (workspaceId: string) =>
      (await f.security.listEnabledCategories({ workspaceId }, options)).categoryIds,
    subscribe: (nodeRef: string, value: unknown) => f.security.subscribe({ nodeRef, body: body(value) }, options),
    unsubscribe: (nodeRef: string, value: unknown) => f.security.unsubscribe({ nodeRef, body: body(value) }, options),
    message: (nodeRef: string, value: unknown) => f.security.sendMessage({ nodeRef, body: body(value) }, options),
    closed: async () => {
      const ids: string[] = [];
      for await (const { nodeIds } of f.security.listClosedNodes({}, options)) ids.push(...nodeIds);
      return ids.sort();
    },
  };
}

export type SecurityClient = Awaited<ReturnType<typeof securityClient>>;

/** Returns a caller as the gateway makes one out of a key. */
export async function callerOf(f: Fixture, key: string): Promise<ApiCaller> {
  const keySha256 = Buffer.from(sha256OfKey(key), 'hex');
  const found = await f.accountsClient.authenticate({ keySha256 }, f.service);
  const { ownerId, userId, username, workspaceIds, rights } = found;
  return {
    kind: 'api',
    ownerId,
    userId,
    username,
    permission: found.permission as ApiCaller['permission'],
    accessLevel: found.accessLevel as ApiCaller['accessLevel'],
    ...(found.accessLevel === 'LIMITED_WORKSPACES' && { workspaceIds }),
    ...(rights && {
      rights: {
        grants: rights.grants,
        ...(rights.closedAsOfMs !== undefined && { closedAsOfMs: rights.closedAsOfMs }),
      },
    }),
  };
}
