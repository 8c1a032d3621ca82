export { readAccounts } from './bus/account-reader.ts';
export { HttpWebhookSender } from './clients/http-webhook-sender.ts';
export type { TargetRules } from './domain/webhook.ts';
export { PgWebhookQueue } from './store/pg-webhook-queue.ts';
export { PgWebhooks } from './store/pg-webhooks.ts';
export { webhooksHandlers } from './transport/webhooks-handlers.ts';
export type { NamedNodes } from './usecases/ports.ts';
export { WebhookWorker } from './usecases/webhook-worker.ts';
