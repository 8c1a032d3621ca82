import type { ApiCaller } from '@catchment/access';
import type { RevisionMatch } from '@catchment/contracts/nodes';
import { AccountCollection } from '@catchment/contracts/owners';
import type { Fixture } from './fixture.ts';

export type Entry = Record<string, unknown> & { _id: string };
export type User = { user: string; name: { first: string; last: string }; profileActivateUrl?: string };
type OwnerDocument = Entry & {
  accountName: string;
  categories: { _id: string; name: string; index: number }[];
  administrators?: User[];
  groups?: (Entry & { name: string; users: User[] })[];
};

export type Quality = {
  excluded: string[];
  unspecified: string;
  unknown: string;
  codes: { name: string; code: number; type: string; color: string; sourceQuality: number[]; isSystem: boolean }[];
};

type WholeQuality = Quality & { revision: number };
const settings = ({ revision: _, ...quality }: WholeQuality): Quality => quality;

const COLLECTIONS = {
  categories: AccountCollection.ACCOUNT_COLLECTION_CATEGORIES,
  roles: AccountCollection.ACCOUNT_COLLECTION_ROLES,
  apikeys: AccountCollection.ACCOUNT_COLLECTION_API_KEYS,
} as const;
export type CollectionName = keyof typeof COLLECTIONS;

/** Calls the Owner operations of the API as a caller. @param ifMatch for which revisions changes are meant */
export async function ownerClient(f: Fixture, caller: ApiCaller, ifMatch?: RevisionMatch) {
  const options = await f.optionsOf(caller);
  const body = (value: unknown) => Buffer.from(JSON.stringify(value));
  const parse = <T>({ json }: { json: Uint8Array }) => JSON.parse(Buffer.from(json).toString()) as T;
  return {
    get: async (attr = '') => parse<OwnerDocument>(await f.owners.getOwner({ attr }, options)),
    put: async (value: unknown, attr = '', notify = false) =>
      parse<OwnerDocument>(await f.owners.updateOwner({ body: body(value), attr, notify, ifMatch }, options)),
    createGroups: async (value: unknown, notify = false) =>
      parse<NonNullable<OwnerDocument['groups']>>(await f.owners.createGroups({ body: body(value), notify }, options)),
    updateGroup: async (groupId: string, value: unknown, notify = false) =>
      parse<Entry>(await f.owners.updateGroup({ groupId, body: body(value), notify, ifMatch }, options)),
    deleteGroup: (groupId: string, notify = false) => f.owners.deleteGroup({ groupId, notify, ifMatch }, options),
    usage: async () => parse<Record<string, never>>(await f.owners.getUsage({}, options)),
    usageOfNodes: async () => parse<Record<string, Entry[]>>(await f.owners.getUsageOfNodes({}, options)),
    limits: async () => parse<Record<string, unknown>>(await f.owners.getOwnLimits({}, options)),
    usesOf: async (categoryId: string) =>
      parse<Record<string, unknown>>(await f.owners.getCategoryUses({ categoryId }, options)),
    /** The answer includes the revision. */
    wholeQuality: async () => parse<WholeQuality>(await f.owners.getQuality({ ownerId: '' }, options)),
    quality: async () => settings(parse<WholeQuality>(await f.owners.getQuality({ ownerId: '' }, options))),
    setQuality: async (value: unknown) =>
      settings(parse<WholeQuality>(await f.owners.updateQuality({ body: body(value), ifMatch }, options))),
    me: async () => parse<Entry>(await f.owners.getProfile({}, options)),
    changeMe: async (value: unknown) => parse<Entry>(await f.owners.updateProfile({ body: body(value) }, options)),
    of: (name: CollectionName) => {
      const collection = COLLECTIONS[name];
      return {
        list: async () => parse<Entry[]>(await f.owners.listEntries({ collection }, options)),
        get: async (entryId: string) => parse<Entry>(await f.owners.getEntry({ collection, entryId }, options)),
        create: async (value: unknown) =>
          parse<Entry>(await f.owners.createEntry({ collection, body: body(value) }, options)),
        update: async (entryId: string, value: unknown) =>
          parse<Entry>(await f.owners.updateEntry({ collection, entryId, body: body(value), ifMatch }, options)),
        remove: (entryId: string) => f.owners.deleteEntry({ collection, entryId, ifMatch }, options),
      };
    },
  };
}

export type OwnerClient = Awaited<ReturnType<typeof ownerClient>>;
