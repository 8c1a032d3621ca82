import { insertRoles } from '../access/index.ts';
import { touchOwners } from '../changes/index.ts';
import { deleteOrphanedKeys, insertKey } from '../keys/index.ts';
import { deletePreferencesOf } from '../notifications/index.ts';
import { saveProfile } from '../people/index.ts';
import { deleteGroups, saveGroups, setAdministrators } from './store/pg-account-people.ts';
import { deleteOwner, insertOwner, saveOwner } from './store/pg-accounts.ts';
import { endTrial, setRemoval, startTrial } from './store/pg-trials.ts';
import { accountsHandlers as accountsOn } from './transport/accounts-handlers.ts';
import { ownersHandlers as ownersOn } from './transport/owners-handlers.ts';
import { updateAccount as update } from './usecases/administer-account.ts';
import { expireTrials as expire } from './usecases/expire-trials.ts';

export { ACCOUNT, ACCOUNT_TYPES } from './domain/account.ts';
export { CATEGORY } from './domain/category.ts';
export { QUALITY } from './domain/quality.ts';
export { GROUP } from './domain/user-group.ts';
export type { AccountsDeps } from './usecases/deps.ts';

const parts = { insertRoles, insertKey, deleteOrphanedKeys, deletePreferencesOf, saveProfile, touchOwners };
const store = {
  setAdministrators,
  saveGroups,
  deleteGroups,
  insertOwner,
  deleteOwner,
  saveOwner,
  startTrial,
  endTrial,
  setRemoval,
  ...parts,
};

export const accountsHandlers = accountsOn.bind(undefined, store);
export const ownersHandlers = ownersOn.bind(undefined, store);
/** See `updateAccount` of administer-account.ts. */
export const updateAccount = update.bind(undefined, store);
/** See `expireTrials` of expire-trials.ts. */
export const expireTrials = expire.bind(undefined, store);
