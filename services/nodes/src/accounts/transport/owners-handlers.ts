import { apiCaller, serviceCaller } from '@catchment/access';
import type { Document } from '@catchment/contracts/common';
import { AccountCollection, type OwnersServiceService } from '@catchment/contracts/owners';
import { invalid } from '@catchment/errors';
import type { Handlers } from '@catchment/grpc';
import { parseJsonBody } from '@catchment/json-body';
import { parseAttr, selectAttributes } from '@catchment/query';
import { ROLES } from '../../access/index.ts';
import type { Collection } from '../../changes/index.ts';
import { parseBody } from '../../domain/body/parse-body.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { API_KEYS } from '../../keys/index.ts';
import { createEntry, deleteEntry, getEntry, listEntries, updateEntry } from '../usecases/account-entries.ts';
import { deleteAccount, updateAccount } from '../usecases/administer-account.ts';
import { CATEGORIES } from '../usecases/categories.ts';
import type { AccountsDeps } from '../usecases/deps.ts';
import { getQuality, updateQuality } from '../usecases/quality-settings.ts';
import { getOwner, getProfile, getUsage } from '../usecases/read-owner.ts';
import { updateOwner } from '../usecases/update-owner.ts';
import { createGroups, deleteGroup, updateGroup } from '../usecases/user-groups.ts';

/** OwnersService: translates, calls one use case, translates. */
export const ownersHandlers = (deps: AccountsDeps): Handlers<typeof OwnersServiceService> => ({
  getOwner: async ({ attr }, { caller }) => document(await getOwner(deps, apiCaller(caller)), attr),
  updateOwner: async ({ body, attr, notify }, { caller }) =>
    document(await updateOwner(deps, apiCaller(caller), parseBody(body), notify), attr),
  createGroups: async ({ body, notify }, { caller }) =>
    document(await createGroups(deps, apiCaller(caller), parseJsonBody(body), notify)),
  updateGroup: async ({ groupId, body, notify }, { caller }) =>
    document(await updateGroup(deps, apiCaller(caller), groupId, parseBody(body), notify)),
  deleteGroup: async ({ groupId, notify }, { caller }) => {
    await deleteGroup(deps, apiCaller(caller), groupId, notify);
    return {};
  },
  getUsage: async (_request, { caller }) => document(await getUsage(deps, apiCaller(caller))),
  getQuality: async ({ ownerId }, { caller }) => document(await getQuality(deps, caller, ownerId)),
  updateQuality: async ({ body }, { caller }) =>
    document(await updateQuality(deps, apiCaller(caller), parseBody(body))),
  getProfile: async (_request, { caller }) => document(await getProfile(deps, apiCaller(caller))),

  listEntries: ({ collection }, { caller }) =>
    withCollection(collection, async (of) => document(await listEntries(deps, apiCaller(caller), of))),
  getEntry: ({ collection, entryId }, { caller }) =>
    withCollection(collection, async (of) => document(await getEntry(deps, apiCaller(caller), of, entryId))),
  createEntry: ({ collection, body }, { caller }) =>
    withCollection(collection, async (of) => document(await createEntry(deps, apiCaller(caller), of, parseBody(body)))),
  updateEntry: ({ collection, entryId, body }, { caller }) =>
    withCollection(collection, async (of) =>
      document(await updateEntry(deps, apiCaller(caller), of, entryId, parseBody(body))),
    ),
  deleteEntry: ({ collection, entryId }, { caller }) =>
    withCollection(collection, async (of) => {
      await deleteEntry(deps, apiCaller(caller), of, entryId);
      return {};
    }),

  updateAccount: async (request, { caller }) => {
    serviceCaller(caller);
    return updateAccount(deps, request);
  },
  deleteAccount: async ({ account }, { caller }) => {
    serviceCaller(caller);
    return deleteAccount(deps, account);
  },
});

/** Each collection has its own type of entries, which ends here. */
function withCollection<R>(collection: AccountCollection, work: <T>(of: Collection<T>) => Promise<R>): Promise<R> {
  switch (collection) {
    case AccountCollection.ACCOUNT_COLLECTION_CATEGORIES:
      return work(CATEGORIES);
    case AccountCollection.ACCOUNT_COLLECTION_ROLES:
      return work(ROLES);
    case AccountCollection.ACCOUNT_COLLECTION_API_KEYS:
      return work(API_KEYS);
    default:
      throw invalid('INVALID_ARGUMENT', 'collection: must be categories, roles or API keys');
  }
}

function document(whole: JsonObject | readonly JsonObject[], attr = ''): Document {
  const shown = attr === '' || Array.isArray(whole) ? whole : selectAttributes(whole as JsonObject, parseAttr(attr));
  return { json: Buffer.from(JSON.stringify(shown)) };
}
