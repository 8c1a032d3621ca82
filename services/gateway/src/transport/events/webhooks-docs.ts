import { DELIVERIES, DELIVERY_KINDS, DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK } from '@catchment/query';
import { Type } from 'typebox';
import { json, objectId, operation, REVISION, withRevision } from '../openapi/parts.ts';

const tag = 'Webhooks';
const extension = true;
const time = { type: 'string', format: 'date-time', examples: ['2024-08-16T02:00:39.000Z'] };

const SETTINGS = {
  name: { type: 'string', minLength: 1, maxLength: WEBHOOK.nameMax, examples: ['Pager'] },
  url: {
    type: 'string',
    maxLength: WEBHOOK.urlMax,
    description: 'https; plain http and private addresses only where the operator allows them.',
    examples: ['https://hooks.example.org/catchment'],
  },
  filter: {
    type: ['string', 'null'],
    description: 'As `GET /events` takes it; empty = all events of the account.',
    examples: ['level($eq:WARNING)|level($eq:ERROR)'],
  },
  enabled: { type: ['boolean', 'null'], default: true },
};

/** OpenAPI has these shapes of webhooks as `components/schemas`. */
export const WEBHOOK_COMPONENTS = [
  {
    $id: 'WebhookTry',
    type: 'object',
    description: 'One try of a delivery.',
    properties: {
      time,
      durationMs: { type: 'integer', minimum: 0 },
      statusCode: { type: 'integer', description: 'Absent when no answer came.' },
      error: { type: 'string', description: 'Why it failed; absent when it arrived.', examples: ['answered 503'] },
      answer: {
        type: 'string',
        description: 'The beginning of what was answered, at most 200 characters; absent when that was nothing.',
      },
    },
  },
  {
    $id: 'Webhook',
    type: 'object',
    description: 'Where events are sent as they happen.',
    properties: {
      _id: objectId,
      ...SETTINGS,
      revision: REVISION,
      disabledReason: {
        type: 'string',
        enum: Object.keys(DISABLED_REASONS),
        description: 'Why the platform has disabled it; absent when it has not.',
      },
      disabledText: { type: 'string', description: 'The reason in words.' },
      createdTime: time,
      failures: { type: 'integer', minimum: 0, description: 'Deliveries given up since the last one that arrived.' },
      eventsWait: { type: 'boolean', description: 'Whether there are events that it has not come to yet.' },
      lastTry: { $ref: 'WebhookTry#' },
      previousSecretUntil: { ...time, description: 'Until then the secret before this one signs too.' },
      secret: {
        type: 'string',
        pattern: '^whsec_[A-Za-z0-9+/=]+$',
        description: 'Only in the answers of the creation and of a change of the secret.',
      },
    },
  },
  {
    $id: 'WebhookDelivery',
    type: 'object',
    description: 'A batch of events on its way to a webhook.',
    properties: {
      _id: { ...objectId, description: 'Sent as `webhook-id`, the same in all tries.' },
      kind: { type: 'string', enum: DELIVERY_KINDS },
      status: { type: 'string', enum: DELIVERY_STATUSES },
      eventCount: { type: 'integer', minimum: 1 },
      createdTime: time,
      nextTryTime: time,
      tries: { type: 'array', items: { $ref: 'WebhookTry#' }, description: 'The latest ones, oldest first.' },
    },
  },
] as const;

const DOCUMENT = { $ref: 'Webhook#' };
const DELIVERY = { $ref: 'WebhookDelivery#' };
const withId = "The 24 hex characters of the webhook's `_id`.";
const changes = 'Needs MODIFY and ACCOUNT.';
const common = { tag, extension };

export const listWebhooks = operation({
  ...common,
  id: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Needs ACCOUNT.',
  success: json(200, 'In the order of making.', { type: 'array', items: DOCUMENT }),
});

export const getWebhook = operation({
  ...common,
  id: 'getWebhook',
  summary: 'Get a webhook',
  description: 'Needs ACCOUNT.',
  withId,
  success: json(200, 'The webhook.', DOCUMENT),
});

export const createWebhook = operation({
  ...common,
  id: 'createWebhook',
  summary: 'Add a webhook',
  description: `${changes} It is sent what happens from now on. The answer has the secret that signs, this once. At most ${WEBHOOK.max} of an account.`,
  body: {
    type: 'object',
    required: ['name', 'url'],
    properties: SETTINGS,
    examples: [{ name: 'Pager', url: 'https://hooks.example.org/catchment' }],
  },
  success: json(201, 'The new webhook.', DOCUMENT),
});

export const updateWebhook = withRevision(
  operation({
    ...common,
    id: 'updateWebhook',
    summary: 'Update a webhook',
    description: `${changes} Only what is sent changes. Enabled again, it goes on where it stopped.`,
    withId,
    body: {
      type: 'object',
      properties: {
        ...SETTINGS,
        skipWaiting: {
          type: ['boolean', 'null'],
          default: false,
          description: 'Leaves out the events that it has not come to yet.',
        },
      },
      examples: [{ enabled: true }],
    },
    success: json(200, 'The webhook as it is now.', DOCUMENT),
  }),
);

export const deleteWebhook = withRevision(
  operation({
    ...common,
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: `${changes} Its deliveries go with it.`,
    withId,
    success: json(200, 'Deleted.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  }),
);

export const rotateSecret = operation({
  ...common,
  id: 'changeWebhookSecret',
  summary: 'Change the secret of a webhook',
  description: `${changes} The answer has the new secret, this once. The one before signs beside it for 24 hours.`,
  withId,
  success: json(201, 'The webhook with its new secret.', DOCUMENT),
});

export const testWebhook = operation({
  ...common,
  id: 'testWebhook',
  summary: 'Send a test to a webhook',
  description: `${changes} A CloudEvent without news, tried once; also while the webhook is disabled.`,
  withId,
  success: json(201, 'The delivery.', DELIVERY),
});

export const listDeliveries = operation({
  ...common,
  id: 'listWebhookDeliveries',
  summary: 'List deliveries of a webhook',
  description: 'Needs ACCOUNT. Newest first; kept for 30 days, the newest 1000 at most.',
  withId,
  query: DELIVERIES,
  success: json(200, 'The deliveries.', { type: 'array', items: DELIVERY }),
});

export const redeliver = operation({
  ...common,
  id: 'redeliverWebhookDelivery',
  summary: 'Send a delivery again',
  description: `${changes} At once, with the same body and \`webhook-id\`: one that waits for its next try makes it, others are tried once.`,
  params: Type.Object({
    id: Type.String({ description: withId }),
    deliveryId: Type.String({ description: 'Of the delivery.' }),
  }),
  success: json(200, 'The delivery.', DELIVERY),
});
