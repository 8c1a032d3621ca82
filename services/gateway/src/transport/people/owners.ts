import { AccountCollection } from '@catchment/contracts/owners';
import { ATTR, OWNER_NOTIFY, OWNER_UPDATE, readArguments } from '@catchment/query';
import { limitsView } from '../../domain/limits-view.ts';
import type { Peers } from '../../usecases/ports.ts';
import { changed, created, document, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { forPeople } from '../routing/session-call.ts';
import * as docs from './owners-docs.ts';

const needsAccountLevel = true;

export function ownerRoutes({ owners, people, historic, events }: Peers): RouteTable {
  return {
    '/owners/account': {
      GET: {
        schema: docs.getOwner,
        answer: async ({ query, options }) =>
          document((await owners.getOwner(readArguments(ATTR, query), options)).json),
      },
      PUT: {
        schema: docs.updateOwner,
        body: 'json',
        needsAccountLevel,
        answer: async ({ query, body, options, ifMatch }) => {
          const request = { body, ifMatch: ifMatch(), ...readArguments(OWNER_UPDATE, query) };
          return changed((await owners.updateOwner(request, options)).json);
        },
      },
    },
    '/owners/account/groups': {
      POST: {
        schema: docs.createGroups,
        keyed: 'once',
        body: 'json',
        needsAccountLevel,
        answer: async ({ query, body, options }) =>
          created((await owners.createGroups({ body, ...readArguments(OWNER_NOTIFY, query) }, options)).json),
      },
    },
    '/owners/account/groups/:id': {
      PUT: {
        schema: docs.updateGroup,
        body: 'json',
        needsAccountLevel,
        answer: async ({ id, query, body, options, ifMatch }) => {
          const request = { groupId: id, body, ifMatch: ifMatch(), ...readArguments(OWNER_NOTIFY, query) };
          return changed((await owners.updateGroup(request, options)).json);
        },
      },
      DELETE: {
        schema: docs.deleteGroup,
        needsAccountLevel,
        answer: async ({ id, query, options, ifMatch }) => {
          const request = { groupId: id, ifMatch: ifMatch(), ...readArguments(OWNER_NOTIFY, query) };
          await owners.deleteGroup(request, options);
          return SUCCESS;
        },
      },
    },
    '/owners/account/usage': {
      GET: {
        schema: docs.getUsage,
        needsAccountLevel,
        answer: async ({ options }) => changed((await owners.getUsage({}, options)).json),
      },
    },
    '/owners/account/usage/nodes': {
      GET: {
        schema: docs.getUsageOfNodes,
        needsAccountLevel,
        answer: async ({ options }) => changed((await owners.getUsageOfNodes({}, options)).json),
      },
    },
    '/owners/account/limits': {
      GET: {
        schema: docs.getLimits,
        needsAccountLevel,
        answer: async ({ options }) => {
          const [{ json }, records, kept] = await Promise.all([
            owners.getOwnLimits({}, options),
            historic.getRecordLimits({}, options),
            events.getEventDays({}, options),
          ]);
          return changed(Buffer.from(JSON.stringify(limitsView(JSON.parse(json.toString()), records, kept))));
        },
      },
    },
    '/owners/account/categories/:id/uses': {
      GET: {
        schema: docs.getCategoryUses,
        needsAccountLevel,
        answer: async ({ id, options }) => changed((await owners.getCategoryUses({ categoryId: id }, options)).json),
      },
    },
    '/owners/account/quality': {
      GET: {
        schema: docs.getQuality,
        answer: async ({ options }) => document((await owners.getQuality({ ownerId: '' }, options)).json),
      },
      PUT: {
        schema: docs.updateQuality,
        body: 'json',
        needsAccountLevel,
        answer: async ({ body, options, ifMatch }) =>
          changed((await owners.updateQuality({ body, ifMatch: ifMatch() }, options)).json),
      },
    },
    '/users/me': {
      GET: {
        schema: docs.getProfile,
        answer: async ({ options }) => document((await owners.getProfile({}, options)).json),
      },
      PUT: {
        schema: docs.updateProfile,
        body: 'json',
        answer: forPeople(async ({ body, options }) => changed((await owners.updateProfile({ body }, options)).json)),
      },
    },
    '/users/me/apikeys': {
      GET: {
        schema: docs.listOwnKeys,
        answer: forPeople(async ({ options }) => changed((await people.listOwnKeys({}, options)).json)),
      },
      POST: {
        schema: docs.createOwnKey,
        keyed: 'once',
        body: 'json',
        answer: forPeople(async ({ body, options }) => created((await people.createOwnKey({ body }, options)).json)),
      },
    },
    '/users/me/apikeys/:id': {
      DELETE: {
        schema: docs.deleteOwnKey,
        answer: forPeople(async ({ id: keyId, options }) => {
          await people.deleteOwnKey({ keyId }, options);
          return SUCCESS;
        }),
      },
    },
    ...collectionRoutes(owners, 'categories', AccountCollection.ACCOUNT_COLLECTION_CATEGORIES, false),
    ...collectionRoutes(owners, 'roles', AccountCollection.ACCOUNT_COLLECTION_ROLES, false),
    ...collectionRoutes(owners, 'apikeys', AccountCollection.ACCOUNT_COLLECTION_API_KEYS, true),
  };
}

/** Serves the five operations that every collection of the account has. @param isSecret keys are shown to level ACCOUNT only */
function collectionRoutes(
  owners: Peers['owners'],
  name: docs.CollectionName,
  collection: AccountCollection,
  isSecret: boolean,
): RouteTable {
  const schemas = docs.collection(name);
  const shown = isSecret ? changed : document;
  return {
    [`/owners/account/${name}`]: {
      GET: {
        schema: schemas.list,
        needsAccountLevel: isSecret,
        answer: async ({ options }) => shown((await owners.listEntries({ collection }, options)).json),
      },
      POST: {
        schema: schemas.create,
        keyed: 'once',
        body: 'json',
        needsAccountLevel,
        answer: async ({ body, options }) => created((await owners.createEntry({ collection, body }, options)).json),
      },
    },
    [`/owners/account/${name}/:id`]: {
      GET: {
        schema: schemas.get,
        needsAccountLevel: isSecret,
        answer: async ({ id, options }) => shown((await owners.getEntry({ collection, entryId: id }, options)).json),
      },
      PUT: {
        schema: schemas.update,
        body: 'json',
        needsAccountLevel,
        answer: async ({ id, body, options, ifMatch }) => {
          const request = { collection, entryId: id, body, ifMatch: ifMatch() };
          return changed((await owners.updateEntry(request, options)).json);
        },
      },
      DELETE: {
        schema: schemas.remove,
        needsAccountLevel,
        answer: async ({ id, options, ifMatch }) => {
          await owners.deleteEntry({ collection, entryId: id, ifMatch: ifMatch() }, options);
          return SUCCESS;
        },
      },
    },
  };
}
