import { apiCaller, scopeOf } from '@catchment/access';
import type { SecurityServiceService } from '@catchment/contracts/security';
import type { Handlers } from '@catchment/grpc';
import { parseBody } from '../../domain/body/parse-body.ts';
import {
  getNotifications,
  getOwnNotifications,
  listEnabledCategories,
  type OwnDeps,
  type StopDeps,
  setPreferences,
  stopEmails,
  subscribe,
  unsubscribe,
} from '../../notifications/index.ts';
import type { PeopleDeps } from '../../people/index.ts';
import { type MessageDeps, previewMessage, sendMessage } from '../../sending/index.ts';
import { document, done, forServices } from '../../transport/answers.ts';
import { closedNodes } from '../usecases/closed-nodes.ts';
import { getSecurity } from '../usecases/get-security.ts';
import { grantAccess } from '../usecases/grant-access.ts';
import { listAccess } from '../usecases/list-access.ts';
import type { EntryStore } from '../usecases/ports.ts';
import { revokeAccess } from '../usecases/revoke-access.ts';

/** SecurityService: translates, calls one use case, translates. */
export const securityHandlers = (
  entries: EntryStore,
  deps: PeopleDeps & StopDeps & MessageDeps & OwnDeps,
): Handlers<typeof SecurityServiceService> => ({
  listAccess: (page, { caller }) => document(listAccess(deps, apiCaller(caller), page)),
  getSecurity: ({ nodeRef }, { caller }) => document(getSecurity(deps, apiCaller(caller), nodeRef)),
  grantAccess: ({ nodeRef, body, notify }, { caller }) =>
    document(grantAccess(entries, deps, apiCaller(caller), { nodeRef, body: parseBody(body), notify })),
  revokeAccess: ({ nodeRef, body, notify }, { caller }) =>
    document(revokeAccess(entries, deps, apiCaller(caller), { nodeRef, body: parseBody(body), notify })),
  getNotifications: ({ nodeRef, subscribeType }, { caller }) =>
    document(getNotifications(deps, apiCaller(caller), nodeRef, subscribeType)),
  getOwnNotifications: (_request, { caller }) => document(getOwnNotifications(deps, apiCaller(caller))),
  setPreferences: ({ nodeRef, body }, { caller }) =>
    document(setPreferences(deps, apiCaller(caller), nodeRef, parseBody(body))),
  subscribe: ({ nodeRef, body }, { caller }) => done(subscribe(deps, apiCaller(caller), nodeRef, parseBody(body))),
  unsubscribe: ({ nodeRef, body }, { caller }) => done(unsubscribe(deps, apiCaller(caller), nodeRef, parseBody(body))),
  sendMessage: ({ nodeRef, body }, { caller }) => sendMessage(deps, apiCaller(caller), nodeRef, parseBody(body)),
  previewMessage: ({ nodeRef, body }, { caller }) =>
    document(previewMessage(deps, apiCaller(caller), nodeRef, parseBody(body))),
  listEnabledCategories: async ({ workspaceId }, { caller }) => ({
    categoryIds: await listEnabledCategories(deps, apiCaller(caller), workspaceId),
  }),
  ...forServices<Pick<Handlers<typeof SecurityServiceService>, 'stopEmails'>>({
    stopEmails: ({ token }) => done(stopEmails(deps, token)),
  }),
  listClosedNodes: (_request, { caller }) => closedNodes(deps, scopeOf(apiCaller(caller))),
});
