import { DomainError, invalid, notFound } from '@catchment/errors';
import type { Database, Queryable } from '@catchment/pg';
import { WEBHOOK } from '@catchment/query';
import type { Event } from '../../domain/event.ts';
import type { Try } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/webhook.ts';
import type {
  CheckSettings,
  Delivery,
  NewDelivery,
  NewWebhook,
  Page,
  StoredChange,
  Webhook,
  WebhookKey,
  WebhookStore,
} from '../usecases/ports.ts';

/** Records events of a change in its transaction, before it. */
export type EventRecorder = {
  recordWith<T>(events: readonly Event[], change: (tx: Queryable) => Promise<T>): Promise<T>;
};

type Nulls<T, Names extends keyof T> = Omit<T, Names> & { readonly [Name in Names]: T[Name] | null };
type WebhookRow = Nulls<Webhook, 'disabledReason' | 'lastTry' | 'previousUntilMs'> & {
  disabledReason: DisabledReason | null;
  lastTry: Try | null;
};
type DeliveryRow = Nulls<Delivery, 'dueMs'>;

/** This many deliveries by hand of a webhook may wait. */
const BY_HAND_MAX = 10;

const SELECT = `
SELECT webhook_id AS "webhookId", owner_id AS "ownerId", name, url, filter, is_enabled AS "isEnabled", created_ms AS "createdMs",
  disabled_reason AS "disabledReason", failures, last_try AS "lastTry", newest > position AS "isBehind",
  CASE WHEN previous_secret IS NOT NULL THEN previous_until_ms END AS "previousUntilMs"
FROM webhooks WHERE owner_id = $1`;

const DELIVERY = `delivery_id AS "deliveryId", kind, event_count AS "eventCount", created_ms AS "createdMs", status,
  due_ms AS "dueMs", tries`;

export class PgWebhooks implements WebhookStore {
  readonly #database: Database;
  readonly #events: EventRecorder;

  constructor(database: Database, events: EventRecorder) {
    this.#database = database;
    this.#events = events;
  }

  async list(ownerId: string): Promise<readonly Webhook[]> {
    const { rows } = await this.#database.query<WebhookRow>(`${SELECT} ORDER BY created_ms, webhook_id`, [ownerId]);
    return rows.map(toWebhook);
  }

  async find(ownerId: string, webhookId: string): Promise<Webhook | undefined> {
    const { rows } = await this.#database.query<WebhookRow>(`${SELECT} AND webhook_id = $2`, [ownerId, webhookId]);
    return rows[0] && toWebhook(rows[0]);
  }

  /** The event goes first and has the log to itself: webhooks are counted and begin behind it one after the other. */
  create(webhook: NewWebhook, event: Event): Promise<void> {
    const { webhookId, ownerId, name, url, filter, isEnabled, secret, createdMs } = webhook;
    return this.#events.recordWith([event], async (tx) => {
      const { rows } = await tx.query<{ count: number }>('SELECT count(*) FROM webhooks WHERE owner_id = $1', [
        ownerId,
      ]);
      if ((rows[0]?.count ?? 0) >= WEBHOOK.max)
        throw invalid('INVALID_ATTRIBUTE', `name: an account may have at most ${WEBHOOK.max} webhooks`);
      await tx.query(
        `INSERT INTO webhooks (webhook_id, owner_id, name, url, filter, is_enabled, secret, created_ms, position, newest)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, last.position, last.position
         FROM (SELECT coalesce(max(position), 0) AS position FROM events WHERE owner_id = $2 AND position IS NOT NULL) last`,
        [webhookId, ownerId, name, url, filter, isEnabled, secret, createdMs],
      );
    });
  }

  update(
    { ownerId, webhookId }: WebhookKey,
    { settings, skipsWaiting }: StoredChange,
    event: Event,
    check: CheckSettings,
  ): Promise<void> {
    const { name, url, filter, isEnabled } = settings;
    return this.#change(
      event,
      `UPDATE webhooks SET name = $3, url = $4, filter = $5, is_enabled = $6,
         failures = CASE WHEN $6 AND NOT is_enabled THEN 0 ELSE failures END,
         disabled_reason = CASE WHEN $6 THEN NULL ELSE disabled_reason END,
         position = CASE WHEN $7 THEN newest ELSE position END, paused_until_ms = 0
       WHERE owner_id = $1 AND webhook_id = $2`,
      [ownerId, webhookId, name, url, filter, isEnabled, skipsWaiting],
      check,
    );
  }

  rotate(
    { ownerId, webhookId }: WebhookKey,
    { secret, previousUntilMs }: { readonly secret: string; readonly previousUntilMs: number },
    event: Event,
  ): Promise<void> {
    return this.#change(
      event,
      `UPDATE webhooks SET previous_secret = secret, previous_until_ms = $4, secret = $3
       WHERE owner_id = $1 AND webhook_id = $2`,
      [ownerId, webhookId, secret, previousUntilMs],
    );
  }

  remove({ ownerId, webhookId }: WebhookKey, event: Event, check: CheckSettings): Promise<void> {
    const text = 'DELETE FROM webhooks WHERE owner_id = $1 AND webhook_id = $2';
    return this.#change(event, text, [ownerId, webhookId], check);
  }

  async deliveries({ ownerId, webhookId }: WebhookKey, { limit, skip, status }: Page): Promise<readonly Delivery[]> {
    const { rows } = await this.#database.query<DeliveryRow>(
      `SELECT ${DELIVERY} FROM webhook_deliveries WHERE owner_id = $1 AND webhook_id = $2
         AND ($5::text IS NULL OR status = $5) ORDER BY seq DESC LIMIT $3 OFFSET $4`,
      [ownerId, webhookId, limit, skip, status ?? null],
    );
    return rows.map(toDelivery);
  }

  addByHand(webhook: WebhookKey, delivery: NewDelivery): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await makeRoom(tx, webhook);
      await insertDelivery(tx, webhook, delivery, { isByHand: true });
    });
  }

  redeliver({ ownerId, webhookId }: WebhookKey, deliveryId: string, nowMs: number): Promise<Delivery | undefined> {
    return this.#database.transaction(async (tx) => {
      await makeRoom(tx, { ownerId, webhookId });
      const { rows } = await tx.query<DeliveryRow>(
        `UPDATE webhook_deliveries SET due_ms = least(due_ms, $4), is_by_hand = is_by_hand OR due_ms IS NULL,
           failed_tries = CASE WHEN due_ms IS NULL THEN 0 ELSE failed_tries END, status = 'PENDING'
         WHERE owner_id = $1 AND webhook_id = $2 AND delivery_id = $3 RETURNING ${DELIVERY}`,
        [ownerId, webhookId, deliveryId, nowMs],
      );
      return rows[0] && toDelivery(rows[0]);
    });
  }

  /**
   * @param values the account and the webhook first
   * @throws DomainError not_found, or what the check throws, and then nothing is recorded
   */
  #change(event: Event, text: string, values: readonly unknown[], check: CheckSettings = () => {}): Promise<void> {
    return this.#events.recordWith([event], async (tx) => {
      const { rows } = await tx.query<WebhookRow>(`${SELECT} AND webhook_id = $2 FOR UPDATE`, values.slice(0, 2));
      if (!rows[0]) throw notFound();
      check(rows[0]);
      await tx.query(text, values);
    });
  }
}

/** Stores a delivery that is due at once. */
export async function insertDelivery(
  tx: Queryable,
  { ownerId, webhookId }: WebhookKey,
  { deliveryId, kind, body, eventCount, createdMs }: NewDelivery,
  { isByHand }: { readonly isByHand: boolean },
): Promise<void> {
  await tx.query(
    `INSERT INTO webhook_deliveries (delivery_id, webhook_id, owner_id, kind, body, event_count, created_ms, status, due_ms,
       is_by_hand)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'PENDING', $7, $8)`,
    [deliveryId, webhookId, ownerId, kind, body, eventCount, createdMs, isByHand],
    'insert-delivery',
  );
}

/** The row of the webhook is locked: of two who add something, one counts after the other. */
async function makeRoom(tx: Queryable, { ownerId, webhookId }: WebhookKey): Promise<void> {
  await tx.query('SELECT 1 FROM webhooks WHERE owner_id = $1 AND webhook_id = $2 FOR UPDATE', [ownerId, webhookId]);
  const { rows } = await tx.query<{ count: number }>(
    'SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1 AND due_ms IS NOT NULL AND is_by_hand',
    [webhookId],
  );
  if ((rows[0]?.count ?? 0) >= BY_HAND_MAX)
    throw new DomainError(
      'failed_precondition',
      'TOO_MANY_DELIVERIES',
      `at most ${BY_HAND_MAX} deliveries by hand may wait; try again when they are sent`,
    );
}

const toWebhook = (row: WebhookRow): Webhook => ({
  ...row,
  disabledReason: row.disabledReason ?? undefined,
  lastTry: row.lastTry ?? undefined,
  previousUntilMs: row.previousUntilMs ?? undefined,
});

const toDelivery = (row: DeliveryRow): Delivery => ({ ...row, dueMs: row.dueMs ?? undefined });
