import type { Peers } from '../../usecases/ports.ts';
import { changed, created, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './webhooks-docs.ts';

const needsAccountLevel = true;

export function webhookRoutes({ webhooks }: Peers): RouteTable {
  return {
    '/owners/account/webhooks': {
      GET: {
        schema: docs.listWebhooks,
        needsAccountLevel,
        answer: async ({ options }) => changed((await webhooks.listWebhooks({}, options)).json),
      },
      POST: {
        schema: docs.createWebhook,
        body: 'json',
        needsAccountLevel,
        answer: async ({ body, options }) => created((await webhooks.createWebhook({ body }, options)).json),
      },
    },
    '/owners/account/webhooks/:id': {
      GET: {
        schema: docs.getWebhook,
        needsAccountLevel,
        answer: async ({ id, options }) => changed((await webhooks.getWebhook({ id }, options)).json),
      },
      PUT: {
        schema: docs.updateWebhook,
        body: 'json',
        needsAccountLevel,
        answer: async ({ id, body, options, ifMatch }) =>
          changed((await webhooks.updateWebhook({ id, body, ifMatch: ifMatch() }, options)).json),
      },
      DELETE: {
        schema: docs.deleteWebhook,
        needsAccountLevel,
        answer: async ({ id, options, ifMatch }) => {
          await webhooks.deleteWebhook({ id, ifMatch: ifMatch() }, options);
          return SUCCESS;
        },
      },
    },
    '/owners/account/webhooks/:id/secret': {
      POST: {
        schema: docs.rotateSecret,
        needsAccountLevel,
        answer: async ({ id, options }) => created((await webhooks.rotateSecret({ id }, options)).json),
      },
    },
    '/owners/account/webhooks/:id/test': {
      POST: {
        schema: docs.testWebhook,
        needsAccountLevel,
        answer: async ({ id, options }) => created((await webhooks.testWebhook({ id }, options)).json),
      },
    },
    '/owners/account/webhooks/:id/deliveries': {
      GET: {
        schema: docs.listDeliveries,
        needsAccountLevel,
        answer: async ({ id, query, options }) =>
          changed((await webhooks.listDeliveries({ id, arguments: { ...query } }, options)).json),
      },
    },
    '/owners/account/webhooks/:id/deliveries/:deliveryId/redeliver': {
      POST: {
        schema: docs.redeliver,
        needsAccountLevel,
        answer: async ({ id, deliveryId, options }) =>
          changed((await webhooks.redeliver({ id, deliveryId }, options)).json),
      },
    },
  };
}
