export type { AccessNews } from './domain/mail-facts.ts';
export { entriesOf, type Named, readGroupName, readNamed, readUser } from './domain/named.ts';
export type { NamedPeople } from './domain/named-people.ts';
export { PersonLinks } from './domain/person-link.ts';
export {
  changeProfile,
  DEFAULT_TIME_FORMAT,
  MAX_USERS_PER_LIST,
  NEW_PROFILE,
  PROFILE,
  readUserEntries,
  readUserEntry,
  type UserEntry,
} from './domain/user-entry.ts';
export { deleteEnded } from './store/pg-sessions.ts';
export { readPerson, saveProfile } from './store/pg-sign-in.ts';
export { peopleHandlers } from './transport/people-handlers.ts';
export type { PeopleDeps, SignInDeps } from './usecases/deps.ts';
export { newActivationUrl } from './usecases/make-links.ts';
export { ACCOUNT_AUDIENCE, namePeople } from './usecases/name-people.ts';
export { requireOperator } from './usecases/person.ts';
export { queueMail } from './usecases/queue-mail.ts';
export { writeMail } from './usecases/write-mail.ts';
