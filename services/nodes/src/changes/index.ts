export type { NodeEvent } from './domain/node-event.ts';
export type { Category, Owner, OwnerChange } from './domain/owner.ts';
export { accountIdOf, lockOwner, readOwner, saveOwner, touchOwners, withManaged } from './store/pg-owners.ts';
export {
  type Collection,
  createEntry,
  deleteEntry,
  getEntry,
  listEntries,
  updateEntry,
} from './usecases/account-entries.ts';
export { type AccountChange, changeAccount, changeAccountOf, checkAccountLevel } from './usecases/change-account.ts';
export type { EntryDeps, StoreDeps } from './usecases/deps.ts';
export {
  accountEvent,
  type Cause,
  type DeadKey,
  deadKeys,
  eventRecorded,
  keyChanged,
  nodeChanged,
  nodeEvent,
  nodesDeleted,
} from './usecases/messages.ts';
