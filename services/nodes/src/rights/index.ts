import { touchOwners } from '../changes/index.ts';
import { dropClosings, dropKeys, dropPreferences, dropSubscriptions } from './store/pg-lost-access.ts';
import { dropLostAccess as drop } from './usecases/lost-access.ts';

export {
  accessOf,
  type Entry,
  groupOf,
  MAX_WORKSPACES_PER_ENTRY,
  NO_ACCESS,
  type PersonAccess,
  type Place,
  type WorkspaceGroup,
  type WorkspacePerson,
} from './domain/access.ts';
export { contactView, type Person } from './domain/person.ts';
export {
  checkNotClosed,
  closedIds,
  closedTo,
  closingsOf,
  isClosed,
  wasClosed,
  withoutClosed,
} from './store/closed-nodes-query.ts';
export { PERSON } from './store/person-columns.ts';
export { groupsAt, type PrincipalColumn, peopleOf, standingsOf, userWithAccess } from './store/rights-query.ts';
export { rightsOf } from './usecases/user-rights.ts';

/** See `dropLostAccess` of lost-access.ts. */
export const dropLostAccess = drop.bind(undefined, {
  dropClosings,
  dropSubscriptions,
  dropPreferences,
  dropKeys,
  touchOwners,
});
