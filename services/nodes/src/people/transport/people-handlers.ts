import { apiCaller, serviceCaller } from '@catchment/access';
import type { PeopleServiceService } from '@catchment/contracts/people';
import type { Handlers } from '@catchment/grpc';
import type { EntryDeps } from '../../changes/index.ts';
import { parseBody } from '../../domain/body/parse-body.ts';
import { createOwnKey, deleteOwnKey, listOwnKeys } from '../../keys/index.ts';
import type { SignInDeps } from '../usecases/deps.ts';
import { acceptInvitation, declineInvitation, listInvitations } from '../usecases/invitations.ts';
import { changePassword, getPerson, updatePerson } from '../usecases/person.ts';
import { createLink, getLink, requestReset, useLink } from '../usecases/person-links.ts';
import { authenticateSession, chooseAccount, signIn, signOut } from '../usecases/sign-in.ts';

/** PeopleService: our own services only, but for the keys that callers have made. */
export const peopleHandlers = (deps: SignInDeps & EntryDeps): Handlers<typeof PeopleServiceService> => ({
  signIn: async (request, { caller }) => {
    serviceCaller(caller);
    return signIn(deps, request);
  },
  signOut: async ({ sessionSha256 }, { caller }) => {
    serviceCaller(caller);
    await signOut(deps, sessionSha256);
    return {};
  },
  authenticateSession: async ({ sessionSha256 }, { caller }) => {
    serviceCaller(caller);
    return authenticateSession(deps, sessionSha256);
  },
  getPerson: async ({ sessionSha256 }, { caller }) => {
    serviceCaller(caller);
    return getPerson(deps, sessionSha256);
  },
  updatePerson: async ({ sessionSha256, profile }, { caller }) => {
    serviceCaller(caller);
    await updatePerson(deps, sessionSha256, profile);
    return {};
  },
  changePassword: async (request, { caller }) => {
    serviceCaller(caller);
    await changePassword(deps, request);
    return {};
  },
  chooseAccount: async ({ sessionSha256, ownerId }, { caller }) => {
    serviceCaller(caller);
    await chooseAccount(deps, sessionSha256, ownerId);
    return {};
  },
  listInvitations: async ({ sessionSha256 }, { caller }) => {
    serviceCaller(caller);
    return { invitations: await listInvitations(deps, sessionSha256) };
  },
  acceptInvitation: async (request, { caller }) => {
    serviceCaller(caller);
    await acceptInvitation(deps, request);
    return {};
  },
  declineInvitation: async (request, { caller }) => {
    serviceCaller(caller);
    await declineInvitation(deps, request);
    return {};
  },
  getLink: async ({ token }, { caller }) => {
    serviceCaller(caller);
    return getLink(deps, token);
  },
  useLink: async (request, { caller }) => {
    serviceCaller(caller);
    return useLink(deps, request);
  },
  requestReset: async ({ email, clientAddress }, { caller }) => {
    serviceCaller(caller);
    await requestReset(deps, email, clientAddress);
    return {};
  },
  createLink: async ({ email }, { caller }) => {
    serviceCaller(caller);
    return createLink(deps, email);
  },

  listOwnKeys: async (_request, { caller }) => document(await listOwnKeys(deps, apiCaller(caller))),
  createOwnKey: async ({ body }, { caller }) => document(await createOwnKey(deps, apiCaller(caller), parseBody(body))),
  deleteOwnKey: async ({ keyId }, { caller }) => {
    await deleteOwnKey(deps, apiCaller(caller), keyId);
    return {};
  },
});

const document = (value: unknown) => ({ json: Buffer.from(JSON.stringify(value)) });
