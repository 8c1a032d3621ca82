import { apiCaller, scopeOf } from '@catchment/access';
import type { Document } from '@catchment/contracts/common';
import type { SecurityServiceService } from '@catchment/contracts/security';
import type { Handlers } from '@catchment/grpc';
import { parseBody } from '../../domain/body/parse-body.ts';
import { getNotifications, setPreferences, subscribe, unsubscribe } from '../../notifications/index.ts';
import type { PeopleDeps } from '../../people/index.ts';
import { closedNodes } from '../usecases/closed-nodes.ts';
import { getSecurity } from '../usecases/get-security.ts';
import { grantAccess } from '../usecases/grant-access.ts';
import { revokeAccess } from '../usecases/revoke-access.ts';

/** SecurityService: translates, calls one use case, translates. */
export const securityHandlers = (deps: PeopleDeps): Handlers<typeof SecurityServiceService> => ({
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
