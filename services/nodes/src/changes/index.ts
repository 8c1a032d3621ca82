export type { NodeEvent } from './domain/node-event.ts';
export type { Category, Owner } from './domain/owner.ts';
export { lockOwner, readOwner, withManaged } from './store/owners-query.ts';
export { touchOwners } from './store/pg-owners.ts';
export { type AccountChange, changeAccount, changeAccountOf, checkAccountLevel } from './usecases/change-account.ts';
export type { Collection } from './usecases/collection.ts';
export type { EntryDeps, StoreDeps } from './usecases/deps.ts';
export {
  accountChanged,
  accountEvent,
  type Cause,
  type DeletedKey,
  eventRecorded,
  keyChanged,
  keysDeleted,
  nodeEvent,
} from './usecases/messages.ts';
export type { OwnerRevisions } from './usecases/ports.ts';
