import { apiCaller } from '@catchment/access';
import type { PeopleServiceService } from '@catchment/contracts/people';
import type { Handlers } from '@catchment/grpc';
import type { EntryDeps } from '../../changes/index.ts';
import { parseBody } from '../../domain/body/parse-body.ts';
import { createOwnKey, deleteOwnKey, listOwnKeys } from '../../keys/index.ts';
import { document, done, forServices } from '../../transport/answers.ts';
import type { SignInDeps } from '../usecases/deps.ts';
import { acceptInvitation, declineInvitation, listInvitations } from '../usecases/invitations.ts';
import { changePassword, getPerson, updatePerson } from '../usecases/person.ts';
import { createLink, getLink, requestReset, useLink } from '../usecases/person-links.ts';
import type { PeopleStore } from '../usecases/ports.ts';
import { deletePreference, getPreference, listPreferences, putPreference } from '../usecases/preferences.ts';
import { authenticateSession, chooseAccount, signIn, signOut } from '../usecases/sign-in.ts';
import { endSignIn, listSignIns } from '../usecases/sign-ins.ts';

type PeopleHandlers = Handlers<typeof PeopleServiceService>;
type OfOwnKeys = 'listOwnKeys' | 'createOwnKey' | 'deleteOwnKey';
type OfPreferences = 'listPreferences' | 'getPreference' | 'putPreference' | 'deletePreference';

/** PeopleService serves our own services only, but for keys and preferences that callers have made. */
export const peopleHandlers = (store: PeopleStore, deps: SignInDeps & EntryDeps): PeopleHandlers => ({
  ...forServices(personHandlers(store, deps)),
  ...ownKeyHandlers(deps),
  ...preferenceHandlers(store, deps),
});

const personHandlers = (store: PeopleStore, deps: SignInDeps): Omit<PeopleHandlers, OfOwnKeys | OfPreferences> => ({
  signIn: (request) => signIn(store, deps, request),
  signOut: ({ sessionSha256 }) => done(signOut(store, deps, sessionSha256)),
  authenticateSession: ({ sessionSha256, account }) => authenticateSession(store, deps, sessionSha256, account),
  getPerson: ({ sessionSha256 }) => getPerson(store, deps, sessionSha256),
  updatePerson: ({ sessionSha256, profile }) => done(updatePerson(store, deps, sessionSha256, profile)),
  changePassword: (request) => done(changePassword(store, deps, request)),
  chooseAccount: ({ sessionSha256, ownerId }) => done(chooseAccount(store, deps, sessionSha256, ownerId)),
  listSignIns: ({ sessionSha256 }) => listSignIns(store, deps, sessionSha256),
  endSignIn: ({ sessionSha256, signInId }) => done(endSignIn(store, deps, sessionSha256, signInId)),
  listInvitations: async ({ sessionSha256 }) => ({ invitations: await listInvitations(store, deps, sessionSha256) }),
  acceptInvitation: (request) => done(acceptInvitation(store, deps, request)),
  declineInvitation: (request) => done(declineInvitation(store, deps, request)),
  getLink: ({ token }) => getLink(deps, token),
  useLink: (request) => useLink(store, deps, request),
  requestReset: ({ email, clientAddress }) => done(requestReset(store, deps, email, clientAddress)),
  createLink: ({ email }) => createLink(store, deps, email),
});

const ownKeyHandlers = (deps: EntryDeps): Pick<PeopleHandlers, OfOwnKeys> => ({
  listOwnKeys: (_request, { caller }) => document(listOwnKeys(deps, apiCaller(caller))),
  createOwnKey: ({ body }, { caller }) => document(createOwnKey(deps, apiCaller(caller), parseBody(body))),
  deleteOwnKey: ({ keyId }, { caller }) => done(deleteOwnKey(deps, apiCaller(caller), keyId)),
});

const preferenceHandlers = (store: PeopleStore, deps: SignInDeps): Pick<PeopleHandlers, OfPreferences> => ({
  listPreferences: (_request, { caller }) => inJson(listPreferences(deps, apiCaller(caller))),
  getPreference: ({ key }, { caller }) => inJson(getPreference(deps, apiCaller(caller), key)),
  putPreference: (given, { caller }) => inJson(putPreference(store, deps, apiCaller(caller), given)),
  deletePreference: ({ key }, { caller }) => done(deletePreference(store, deps, apiCaller(caller), key)),
});

const inJson = async (text: Promise<string>) => ({ json: Buffer.from(await text) });
