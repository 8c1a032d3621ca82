import { newObjectId } from '@catchment/ids';
import { DISABLED_REASONS, WEBHOOK } from '@catchment/query';
import { counter } from '@catchment/telemetry';
import type { Event } from '../../domain/event.ts';
import { readEventQuery } from '../../domain/event-query.ts';
import type { EventStore, RecordedEvent } from '../../usecases/ports.ts';
import { batchOf } from '../domain/batch.ts';
import { outcomeOf } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/webhook.ts';
import { accountEvent } from './change-webhooks.ts';
import type { ClaimedWebhook, DueDelivery, NamedNodes, WebhookQueue, WebhookSender } from './ports.ts';

/** This outcome is counted, by the status that a try gives its delivery. */
const OUTCOMES = { DELIVERED: 'ok', PENDING: 'failed', FAILED: 'given_up' } as const;

const deliveries = counter({
  name: 'catchment_webhook_deliveries_total',
  help: 'Tries to deliver to a webhook: ok; failed, to be tried again; given up.',
  labels: ['outcome'],
  known: Object.values(OUTCOMES).map((outcome) => ({ outcome })),
});

export type ServeDeps = {
  readonly queue: WebhookQueue;
  readonly events: Pick<EventStore, 'list'>;
  readonly nodes: NamedNodes;
  readonly sender: WebhookSender;
  readonly cloudEventOf: (event: RecordedEvent) => object;
  readonly now: () => number;
};

/** One statement looks through this many positions: a filter that matches hardly anything would otherwise never come to an end. */
const WINDOW = 200_000;

/**
 * Does the next work of a claimed webhook: a delivery that is due, otherwise the next events
 * (docs/reference/events.md#webhooks). The lease ends with it.
 * @throws when `stopping` ends it, or the events cannot be read
 */
export async function serveWebhook(deps: ServeDeps, webhook: ClaimedWebhook, stopping: AbortSignal): Promise<void> {
  const delivery =
    (await deps.queue.due(webhook, deps.now())) ?? (webhook.isReady && (await nextDelivery(deps, webhook)));
  if (!delivery) return deps.queue.release(webhook, 0);
  const message = { id: delivery.deliveryId, url: webhook.url, body: delivery.body, secrets: webhook.secrets };
  const attempt = await deps.sender.send(message, stopping);
  const outcome = outcomeOf(attempt, { ...delivery, failures: webhook.failures });
  const event = outcome.disabled && webhook.isActive ? disabledEvent(webhook, outcome.disabled, deps.now()) : undefined;
  await deps.queue.record(webhook, delivery, { attempt, outcome }, event);
  deliveries.add({ outcome: OUTCOMES[outcome.status] });
}

const disabledEvent = ({ ownerId, name }: ClaimedWebhook, reason: DisabledReason, nowMs: number): Event =>
  accountEvent({
    ownerId,
    username: 'System',
    message: `Webhook '${name}' disabled: ${DISABLED_REASONS[reason]}`,
    level: 'WARNING',
    nowMs,
  });

/** Makes the delivery of the next events; undefined = there are none that the filter wants, or the lease is over. */
async function nextDelivery(deps: ServeDeps, webhook: ClaimedWebhook): Promise<DueDelivery | undefined> {
  const { ownerId, position, newest } = webhook;
  const nowMs = deps.now();
  const list = deps.events.list(readEventQuery({ filter: webhook.filter }, nowMs));
  const nodeIds = await deps.nodes(ownerId, list.customIds);
  const all = { workspaceIds: undefined, withAccountEvents: true, nodeId: undefined, closedNodeIds: [] };
  const until = Math.min(newest, position + WINDOW);
  const events = await list.recordedAfter({ ...all, ownerId, nodeIds }, position, WEBHOOK.batchMax, until);
  if (events.length === 0) {
    await deps.queue.advance(webhook, until, undefined);
    return undefined;
  }
  const { body, count } = batchOf(events.map((event) => JSON.stringify(deps.cloudEventOf(event))));
  const delivery = {
    deliveryId: newObjectId(nowMs),
    kind: 'EVENTS',
    body,
    eventCount: count,
    createdMs: nowMs,
  } as const;
  const isWhole = count === events.length && events.length < WEBHOOK.batchMax;
  const reached = isWhole ? until : (events[count - 1]?.position ?? until);
  const isMine = await deps.queue.advance(webhook, reached, delivery);
  return isMine ? { ...delivery, isByHand: false, failedTries: 0 } : undefined;
}
