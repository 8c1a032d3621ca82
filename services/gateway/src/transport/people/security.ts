import { ACCESS_LIST, readArguments, SECURITY_NOTIFY, SUBSCRIBERS } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { ACCEPTED, accepted, changed } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { forPeople } from '../routing/session-call.ts';
import * as docs from './security-docs.ts';

/** Access to a Workspace, and subscriptions to notifications. */
export function securityRoutes({ security }: Peers): RouteTable {
  return {
    '/owners/account/access': {
      GET: {
        schema: docs.listAccess,
        answer: async ({ query, options }) =>
          changed((await security.listAccess(readArguments(ACCESS_LIST, query), options)).json),
      },
    },
    '/users/me/notifications': {
      GET: {
        schema: docs.getOwnNotifications,
        answer: forPeople(async ({ options }) => changed((await security.getOwnNotifications({}, options)).json)),
      },
    },
    '/nodes/:id/security': {
      GET: {
        schema: docs.getSecurity,
        answer: async ({ id, options }) => changed((await security.getSecurity({ nodeRef: id }, options)).json),
      },
    },
    '/nodes/:id/security/subscribe': {
      POST: {
        schema: docs.grantAccess,
        keyed: 'once',
        body: 'json',
        answer: async ({ id, query, body, options }) => {
          const request = { nodeRef: id, body, ...readArguments(SECURITY_NOTIFY, query) };
          return changed((await security.grantAccess(request, options)).json);
        },
      },
    },
    '/nodes/:id/security/unsubscribe': {
      POST: {
        schema: docs.revokeAccess,
        keyed: 'once',
        body: 'json',
        answer: async ({ id, query, body, options }) => {
          const request = { nodeRef: id, body, ...readArguments(SECURITY_NOTIFY, query) };
          return changed((await security.revokeAccess(request, options)).json);
        },
      },
    },
    '/nodes/:id/notifications': {
      GET: {
        schema: docs.getNotifications,
        answer: async ({ id, query, options }) => {
          const request = { nodeRef: id, ...readArguments(SUBSCRIBERS, query) };
          return changed((await security.getNotifications(request, options)).json);
        },
      },
      POST: {
        schema: docs.setPreferences,
        keyed: 'once',
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await security.setPreferences({ nodeRef: id, body }, options)).json),
      },
    },
    '/nodes/:id/messages': {
      POST: {
        schema: docs.sendMessage,
        keyed: 'once',
        body: 'json',
        answer: async ({ id, body, options }) => {
          const { emailUsers, smsUsers } = await security.sendMessage({ nodeRef: id, body }, options);
          return accepted({ email: emailUsers, sms: smsUsers });
        },
      },
    },
    '/nodes/:id/messages/preview': {
      POST: {
        schema: docs.previewMessage,
        body: 'json',
        answer: async ({ id, body, options }) =>
          changed((await security.previewMessage({ nodeRef: id, body }, options)).json),
      },
    },
    '/nodes/:id/notifications/subscribe': {
      POST: {
        schema: docs.subscribe,
        keyed: 'once',
        body: 'json',
        answer: async ({ id, body, options }) => {
          await security.subscribe({ nodeRef: id, body }, options);
          return ACCEPTED;
        },
      },
    },
    '/nodes/:id/notifications/unsubscribe': {
      POST: {
        schema: docs.unsubscribe,
        keyed: 'once',
        body: 'json',
        answer: async ({ id, body, options }) => {
          await security.unsubscribe({ nodeRef: id, body }, options);
          return ACCEPTED;
        },
      },
    },
  };
}
