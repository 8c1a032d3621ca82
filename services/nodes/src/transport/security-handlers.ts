import type { Document } from '@catchment/contracts/common';
import type { SecurityServiceService } from '@catchment/contracts/security';
import { apiCaller, type Handlers, scopeOf } from '@catchment/grpc';
import type { Deps } from '../usecases/deps.ts';
import { getNotifications } from '../usecases/notifications/get-notifications.ts';
import { setPreferences } from '../usecases/notifications/set-preferences.ts';
import { subscribe, unsubscribe } from '../usecases/notifications/subscriptions.ts';
import { parseBody } from '../usecases/parse-body.ts';
import { closedNodes } from '../usecases/security/closed-nodes.ts';
import { getSecurity } from '../usecases/security/get-security.ts';
import { grantAccess } from '../usecases/security/grant-access.ts';
import { revokeAccess } from '../usecases/security/revoke-access.ts';

/** SecurityService: translates, calls one use case, translates. */
export const securityHandlers = (deps: Deps): Handlers<typeof SecurityServiceService> => ({
  getSecurity: async ({ nodeRef }, { caller }) => document(await getSecurity(deps, apiCaller(caller), nodeRef)),
  grantAccess: async ({ nodeRef, body, notify }, { caller }) =>
    document(await grantAccess(deps, apiCaller(caller), nodeRef, parseBody(body), notify)),
  revokeAccess: async ({ nodeRef, body, notify }, { caller }) =>
    document(await revokeAccess(deps, apiCaller(caller), nodeRef, parseBody(body), notify)),
  getNotifications: async ({ nodeRef, subscribeType }, { caller }) =>
    document(await getNotifications(deps, apiCaller(caller), nodeRef, subscribeType)),
  setPreferences: async ({ nodeRef, body }, { caller }) =>
    document(await setPreferences(deps, apiCaller(caller), nodeRef, parseBody(body))),
  subscribe: async ({ nodeRef, body }, { caller }) => {
    await subscribe(deps, apiCaller(caller), nodeRef, parseBody(body));
    return {};
  },
  unsubscribe: async ({ nodeRef, body }, { caller }) => {
    await unsubscribe(deps, apiCaller(caller), nodeRef, parseBody(body));
    return {};
  },
  listClosedNodes: (_request, { caller }) => closedNodes(deps, scopeOf(apiCaller(caller))),
});

const document = (whole: object): Document => ({ json: Buffer.from(JSON.stringify(whole)) });
