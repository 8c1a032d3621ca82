import { touchOwners } from '../changes/index.ts';
import { countAttempt, countAttempts, forgiveAttempts } from './store/pg-attempts.ts';
import { insertProfiles } from './store/pg-people.ts';
import { deleteLinksOf, insertLinks } from './store/pg-person-links.ts';
import { deletePreference, savePreference } from './store/pg-preferences.ts';
import {
  deleteProfile,
  dropClaims,
  dropKeysOf,
  markProven,
  mergeProfile,
  removeFromAccounts,
} from './store/pg-proof.ts';
import {
  deleteEnded,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  setSessionAccount,
  touchSession,
} from './store/pg-sessions.ts';
import { noteSignIn, savePassword, saveProfile } from './store/pg-sign-in.ts';
import { insertSignIn } from './store/pg-sign-ins.ts';
import { peopleHandlers as handlersOf } from './transport/people-handlers.ts';
import { newActivationUrl as newUrl } from './usecases/make-links.ts';
import { namePeople as name } from './usecases/name-people.ts';
import { requireOperator as operatorBy } from './usecases/person.ts';
import { queueMail as queue } from './usecases/queue-mail.ts';

export type { AccessNews } from './domain/mail-facts.ts';
export { entriesOf, type Named, readGroupName, readNamed, readUser } from './domain/named.ts';
export type { NamedPeople } from './domain/named-people.ts';
export { PersonLinks } from './domain/person-link.ts';
export {
  changeProfile,
  DEFAULT_TIME_FORMAT,
  type GivenProfile,
  MAX_USERS_PER_LIST,
  NEW_PROFILE,
  PROFILE,
  readUserEntries,
  readUserEntry,
  type UserEntry,
} from './domain/user-entry.ts';
export { deleteEnded } from './store/pg-sessions.ts';
export { saveProfile } from './store/pg-sign-in.ts';
export { readPerson } from './store/sign-in-query.ts';
export type { PeopleDeps, SignInDeps } from './usecases/deps.ts';
export { ACCOUNT_AUDIENCE } from './usecases/name-people.ts';
export { writeMail } from './usecases/write-mail.ts';

const store = {
  countAttempt,
  countAttempts,
  forgiveAttempts,
  insertLinks,
  deleteLinksOf,
  savePreference,
  deletePreference,
  markProven,
  mergeProfile,
  removeFromAccounts,
  deleteProfile,
  dropClaims,
  dropKeysOf,
  insertSession,
  touchSession,
  setSessionAccount,
  deleteSession,
  deleteSessionsOf,
  deleteEnded,
  savePassword,
  noteSignIn,
  saveProfile,
  insertProfiles,
  insertSignIn,
  touchOwners,
};

export const peopleHandlers = handlersOf.bind(undefined, store);

// These use cases work on the tables of this room.
export const namePeople = name.bind(undefined, store);
export const newActivationUrl = newUrl.bind(undefined, store);
export const queueMail = queue.bind(undefined, store);
export const requireOperator = operatorBy.bind(undefined, store);
