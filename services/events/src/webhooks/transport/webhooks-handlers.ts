import { apiCaller } from '@catchment/access';
import type { WebhooksServiceService } from '@catchment/contracts/webhooks';
import { type Handlers, jsonAnswer } from '@catchment/grpc';
import { DELIVERIES, DISABLED_REASONS, readArguments } from '@catchment/query';
import { formatIsoMs } from '@catchment/time';
import type { Try } from '../domain/delivery.ts';
import { settingsRevision } from '../domain/webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from '../usecases/change-webhooks.ts';
import type { Delivery, Webhook, WebhookDeps } from '../usecases/ports.ts';

/** @param wake has what waits sent at once */
export const webhooksHandlers = (deps: WebhookDeps, wake: () => void): Handlers<typeof WebhooksServiceService> => ({
  listWebhooks: async (_request, { caller }) =>
    jsonAnswer((await listWebhooks(deps, apiCaller(caller))).map(webhookView)),
  getWebhook: async ({ id }, { caller }) => jsonAnswer(webhookView(await getWebhook(deps, apiCaller(caller), id))),
  createWebhook: async ({ body }, { caller }) => {
    const { webhook, secret } = await createWebhook(deps, apiCaller(caller), body);
    return jsonAnswer({ ...webhookView(webhook), secret });
  },
  updateWebhook: async (request, { caller }) => {
    const webhook = await updateWebhook(deps, apiCaller(caller), request);
    wake();
    return jsonAnswer(webhookView(webhook));
  },
  deleteWebhook: async (request, { caller }) => {
    await deleteWebhook(deps, apiCaller(caller), request);
    return {};
  },
  rotateSecret: async ({ id }, { caller }) => {
    const { webhook, secret } = await rotateSecret(deps, apiCaller(caller), id);
    return jsonAnswer({ ...webhookView(webhook), secret });
  },
  listDeliveries: async ({ id, arguments: given }, { caller }) => {
    const page = readArguments(DELIVERIES, given);
    return jsonAnswer((await listDeliveries(deps, apiCaller(caller), id, page)).map(deliveryView));
  },
  redeliver: async (request, { caller }) => {
    const delivery = await redeliver(deps, apiCaller(caller), request);
    wake();
    return jsonAnswer(deliveryView(delivery));
  },
  testWebhook: async ({ id }, { caller }) => {
    const delivery = await testWebhook(deps, apiCaller(caller), id);
    wake();
    return jsonAnswer(deliveryView(delivery));
  },
});

const webhookView = (webhook: Webhook) => ({
  _id: webhook.webhookId,
  name: webhook.name,
  url: webhook.url,
  filter: webhook.filter,
  enabled: webhook.isEnabled,
  ...(webhook.disabledReason && {
    disabledReason: webhook.disabledReason,
    disabledText: DISABLED_REASONS[webhook.disabledReason],
  }),
  revision: settingsRevision(webhook),
  createdTime: formatIsoMs(webhook.createdMs),
  failures: webhook.failures,
  eventsWait: webhook.isBehind,
  ...(webhook.lastTry && { lastTry: tryView(webhook.lastTry) }),
  ...(webhook.previousUntilMs !== undefined && { previousSecretUntil: formatIsoMs(webhook.previousUntilMs) }),
});

const deliveryView = ({ deliveryId, kind, status, eventCount, createdMs, dueMs, tries }: Delivery) => ({
  _id: deliveryId,
  kind,
  status,
  eventCount,
  createdTime: formatIsoMs(createdMs),
  ...(dueMs !== undefined && { nextTryTime: formatIsoMs(dueMs) }),
  tries: tries.map(tryView),
});

const tryView = ({ timeMs, durationMs, statusCode, error, answer }: Try) => ({
  time: formatIsoMs(timeMs),
  durationMs,
  ...(statusCode !== undefined && { statusCode }),
  ...(error !== undefined && { error }),
  ...(answer !== undefined && { answer }),
});
