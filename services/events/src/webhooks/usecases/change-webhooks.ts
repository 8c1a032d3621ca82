import { type ApiCaller, checkModify, checkRevision, type RevisionMatch } from '@catchment/access';
import { notFound, notPermitted } from '@catchment/errors';
import { newObjectId, normaliseObjectId } from '@catchment/ids';
import { cloudEvent } from '../../domain/cloud-event.ts';
import { checkedEvent, type Event } from '../../domain/event.ts';
import { readEventQuery } from '../../domain/event-query.ts';
import { parseWebhookBody, readWebhook, settingsRevision, type WebhookSettings } from '../domain/webhook.ts';
import type { Delivery, Page, Webhook, WebhookDeps } from './ports.ts';

const DAY_MS = 86_400_000;

/** A webhook shows its secret this once. */
type WebhookWithSecret = { readonly webhook: Webhook; readonly secret: string };

/** @throws DomainError permission_denied */
export function listWebhooks(deps: WebhookDeps, caller: ApiCaller): Promise<readonly Webhook[]> {
  checkMayRead(caller);
  return deps.webhooks.list(caller.ownerId);
}

/** @throws DomainError permission_denied | not_found */
export async function getWebhook(deps: WebhookDeps, caller: ApiCaller, id: string): Promise<Webhook> {
  checkMayRead(caller);
  return find(deps, caller, id);
}

/** A new webhook sends what is recorded from now on. @throws DomainError permission_denied | invalid_argument naming the attribute */
export async function createWebhook(
  deps: WebhookDeps,
  caller: ApiCaller,
  body: Uint8Array,
): Promise<WebhookWithSecret> {
  checkMayChange(caller);
  const { settings } = readWebhook(parseWebhookBody(body), undefined, deps.rules);
  checkFilter(deps, settings.filter);
  const [createdMs, secret] = [deps.now(), deps.newSecret()];
  const made = { ...settings, webhookId: newObjectId(createdMs), ownerId: caller.ownerId, createdMs, secret };
  await deps.webhooks.create(made, eventBy(deps, caller, `Created webhook '${settings.name}'`));
  return { webhook: await find(deps, caller, made.webhookId), secret };
}

/** @throws DomainError permission_denied | not_found | changed | invalid_argument naming the attribute */
export async function updateWebhook(
  deps: WebhookDeps,
  caller: ApiCaller,
  {
    id,
    body,
    ifMatch,
  }: { readonly id: string; readonly body: Uint8Array; readonly ifMatch: RevisionMatch | undefined },
): Promise<Webhook> {
  checkMayChange(caller);
  // A body that is no JSON is refused before the webhook is looked for
  // (docs/reference/requests-and-errors.md#order-of-checks).
  const given = parseWebhookBody(body);
  const webhook = await find(deps, caller, id);
  const check = checkFor(ifMatch);
  check(webhook);
  const change = readWebhook(given, webhook, deps.rules);
  checkFilter(deps, change.settings.filter);
  await deps.webhooks.update(
    webhook,
    change,
    eventBy(deps, caller, `Changed webhook '${change.settings.name}'`),
    check,
  );
  return find(deps, caller, id);
}

/** The secret until now signs beside the new one for a day. @throws DomainError permission_denied | not_found */
export async function rotateSecret(deps: WebhookDeps, caller: ApiCaller, id: string): Promise<WebhookWithSecret> {
  checkMayChange(caller);
  const webhook = await find(deps, caller, id);
  const secret = deps.newSecret();
  const event = eventBy(deps, caller, `Changed the secret of webhook '${webhook.name}'`);
  await deps.webhooks.rotate(webhook, { secret, previousUntilMs: deps.now() + DAY_MS }, event);
  return { webhook: await find(deps, caller, id), secret };
}

/** Deletes a webhook with its deliveries. @throws DomainError permission_denied | not_found | changed */
export async function deleteWebhook(
  deps: WebhookDeps,
  caller: ApiCaller,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: RevisionMatch | undefined },
): Promise<void> {
  checkMayChange(caller);
  const webhook = await find(deps, caller, id);
  await deps.webhooks.remove(webhook, eventBy(deps, caller, `Deleted webhook '${webhook.name}'`), checkFor(ifMatch));
}

/** @throws DomainError permission_denied | not_found */
export async function listDeliveries(
  deps: WebhookDeps,
  caller: ApiCaller,
  id: string,
  page: Page,
): Promise<readonly Delivery[]> {
  checkMayRead(caller);
  return deps.webhooks.deliveries(await find(deps, caller, id), page);
}

/** @throws DomainError permission_denied | not_found | failed_precondition */
export async function redeliver(
  deps: WebhookDeps,
  caller: ApiCaller,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
): Promise<Delivery> {
  checkMayChange(caller);
  const known = normaliseObjectId(deliveryId);
  const webhook = await find(deps, caller, id);
  const delivery = known === undefined ? undefined : await deps.webhooks.redeliver(webhook, known, deps.now());
  if (!delivery) throw notFound();
  return delivery;
}

/** Sends a CloudEvent without news, also while the webhook is disabled. @throws as `redeliver` */
export async function testWebhook(deps: WebhookDeps, caller: ApiCaller, id: string): Promise<Delivery> {
  checkMayChange(caller);
  const webhook = await find(deps, caller, id);
  const createdMs = deps.now();
  const deliveryId = newObjectId(createdMs);
  const event = cloudEvent({
    id: deliveryId,
    ownerId: caller.ownerId,
    timeMs: createdMs,
    type: 'io.catchment.webhook.tested.v1',
    data: { webhookId: webhook.webhookId, message: `Test of webhook '${webhook.name}'` },
  });
  const delivery = { deliveryId, kind: 'TEST', eventCount: 1, createdMs, body: JSON.stringify([event]) } as const;
  await deps.webhooks.addByHand(webhook, delivery);
  return { ...delivery, status: 'PENDING', dueMs: createdMs, tries: [] };
}

function checkMayRead(caller: ApiCaller): void {
  if (caller.accessLevel !== 'ACCOUNT') throw notPermitted();
}

function checkMayChange(caller: ApiCaller): void {
  checkModify(caller);
  checkMayRead(caller);
}

/** Refuses a change that is meant for other settings. */
const checkFor = (ifMatch: RevisionMatch | undefined) => (now: WebhookSettings) =>
  checkRevision('webhook', settingsRevision(now), ifMatch);

/** Attributes and values of a filter are checked by the list that it is for. @throws DomainError invalid_argument */
const checkFilter = (deps: WebhookDeps, filter: string) => deps.events.list(readEventQuery({ filter }, deps.now()));

async function find({ webhooks }: WebhookDeps, { ownerId }: ApiCaller, id: string): Promise<Webhook> {
  const webhookId = normaliseObjectId(id);
  const webhook = webhookId === undefined ? undefined : await webhooks.find(ownerId, webhookId);
  if (!webhook) throw notFound();
  return webhook;
}

const eventBy = ({ now }: WebhookDeps, { ownerId, username }: ApiCaller, message: string): Event =>
  accountEvent({ ownerId, username, message, level: 'INFO', nowMs: now() });

/** Makes a SECURITY event of the account: a webhook takes data out of it. */
export function accountEvent(of: {
  readonly ownerId: string;
  readonly username: string;
  readonly message: string;
  readonly level: 'INFO' | 'WARNING';
  readonly nowMs: number;
}): Event {
  const { ownerId, username, message, level, nowMs } = of;
  const none = { workspaceId: '', nodeId: '', nodeClass: '', alarmState: 'NONE' };
  const kind = { ...none, level, eventType: 'SECURITY' };
  return checkedEvent({ ...kind, eventId: newObjectId(nowMs), ownerId, timeMs: nowMs, username, message });
}
