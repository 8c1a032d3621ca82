import { apiCaller } from '@catchment/access';
import {
  AccountCollection,
  type OwnersServiceService,
  type QualitySettings as QualityMessage,
} from '@catchment/contracts/owners';
import { invalid } from '@catchment/errors';
import type { Handlers } from '@catchment/grpc';
import { parseJsonBody } from '@catchment/json-body';
import type { QualitySettings } from '@catchment/quality';
import { parseAttr, selectAttributes } from '@catchment/query';
import { ROLES } from '../../access/index.ts';
import type { Category, Collection } from '../../changes/index.ts';
import { parseBody } from '../../domain/body/parse-body.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { API_KEYS } from '../../keys/index.ts';
import { document, done, forServices } from '../../transport/answers.ts';
import { getOwnLimits, getUsageOfNodes } from '../../usage/index.ts';
import { createEntry, deleteEntry, getEntry, listEntries, updateEntry } from '../usecases/account-entries.ts';
import { deleteAccount, updateAccount } from '../usecases/administer-account.ts';
import { categoriesBy, getCategoryUses } from '../usecases/categories.ts';
import type { AccountsDeps } from '../usecases/deps.ts';
import type { AccountStore } from '../usecases/ports.ts';
import { getQuality, qualityView, updateQuality } from '../usecases/quality-settings.ts';
import { getOwner, getProfile, getUsage, updateProfile } from '../usecases/read-owner.ts';
import { updateOwner } from '../usecases/update-owner.ts';
import { createGroups, deleteGroup, updateGroup } from '../usecases/user-groups.ts';

type OwnersHandlers = Handlers<typeof OwnersServiceService>;

/** OwnersService: translates, calls one use case, translates. */
export function ownersHandlers(
  store: AccountStore,
  deps: AccountsDeps & { readonly sendsSms: boolean },
): OwnersHandlers {
  const categories = categoriesBy(store);
  return {
    getOwner: ({ attr }, { caller }) => document(selected(getOwner(deps, apiCaller(caller)), attr)),
    updateOwner: ({ body, attr, notify, ifMatch }, { caller }) =>
      document(selected(updateOwner(store, deps, apiCaller(caller), parseBody(body), { notify, ifMatch }), attr)),
    createGroups: ({ body, notify }, { caller }) =>
      document(createGroups(store, deps, apiCaller(caller), parseJsonBody(body), notify)),
    updateGroup: ({ groupId, body, notify, ifMatch }, { caller }) =>
      document(updateGroup(store, deps, apiCaller(caller), groupId, { body: parseBody(body), notify, ifMatch })),
    deleteGroup: ({ groupId, notify, ifMatch }, { caller }) =>
      done(deleteGroup(store, deps, apiCaller(caller), groupId, { notify, ifMatch })),
    getUsage: (_request, { caller }) => document(getUsage(deps, apiCaller(caller))),
    getUsageOfNodes: (_request, { caller }) => document(getUsageOfNodes(deps, apiCaller(caller))),
    getOwnLimits: (_request, { caller }) => document(getOwnLimits(deps, apiCaller(caller))),
    getCategoryUses: ({ categoryId }, { caller }) => document(getCategoryUses(deps, apiCaller(caller), categoryId)),
    getQuality: ({ ownerId }, { caller }) => document(getQuality(deps, caller, ownerId).then(qualityView)),
    getQualitySettings: ({ ownerId }, { caller }) => inFields(getQuality(deps, caller, ownerId)),
    updateQuality: ({ body, ifMatch }, { caller }) =>
      document(updateQuality(store, deps, apiCaller(caller), parseBody(body), ifMatch).then(qualityView)),
    getProfile: (_request, { caller }) => document(getProfile(deps, apiCaller(caller))),

    updateProfile: ({ body }, { caller }) => document(updateProfile(store, deps, apiCaller(caller), parseBody(body))),

    listEntries: ({ collection }, { caller }) =>
      withCollection(categories, collection, (of) => document(listEntries(deps, apiCaller(caller), of))),
    getEntry: ({ collection, entryId }, { caller }) =>
      withCollection(categories, collection, (of) => document(getEntry(deps, apiCaller(caller), of, entryId))),
    createEntry: ({ collection, body }, { caller }) =>
      withCollection(categories, collection, (of) =>
        document(createEntry(deps, apiCaller(caller), of, parseBody(body))),
      ),
    updateEntry: ({ collection, entryId, body, ifMatch }, { caller }) =>
      withCollection(categories, collection, (of) =>
        document(updateEntry(deps, apiCaller(caller), of, { id: entryId, body: parseBody(body), ifMatch })),
      ),
    deleteEntry: ({ collection, entryId, ifMatch }, { caller }) =>
      withCollection(categories, collection, (of) => done(deleteEntry(deps, apiCaller(caller), of, entryId, ifMatch))),

    ...forServices<Pick<OwnersHandlers, 'updateAccount' | 'deleteAccount'>>({
      updateAccount: (request) => updateAccount(store, deps, request),
      deleteAccount: ({ account }) => deleteAccount(store, deps, account),
    }),
  };
}

/** Each collection has its own type of entries, which ends here. */
function withCollection<R>(
  categories: Collection<Category>,
  collection: AccountCollection,
  work: <T>(of: Collection<T>) => Promise<R>,
): Promise<R> {
  switch (collection) {
    case AccountCollection.ACCOUNT_COLLECTION_CATEGORIES:
      return work(categories);
    case AccountCollection.ACCOUNT_COLLECTION_ROLES:
      return work(ROLES);
    case AccountCollection.ACCOUNT_COLLECTION_API_KEYS:
      return work(API_KEYS);
    default:
      throw invalid('INVALID_ARGUMENT', 'collection: must be categories, roles or API keys');
  }
}

/** The attributes have the names of the contract, whose lists may be changed. */
async function inFields(settings: Promise<QualitySettings>): Promise<QualityMessage> {
  const { excluded, codes, ...types } = await settings;
  return {
    ...types,
    excluded: [...excluded],
    codes: codes.map((code) => ({ ...code, sourceQuality: [...code.sourceQuality] })),
  };
}

const selected = async (whole: Promise<JsonObject>, attr: string): Promise<JsonObject> =>
  attr === '' ? whole : selectAttributes(await whole, parseAttr(attr));
