import { type Database, deleteInBatches, type Queryable } from '@catchment/pg';
import type { Event } from '../../domain/event.ts';
import { type Outcome, TRIES_MAX, type Try } from '../domain/delivery.ts';
import type {
  AccountStatus,
  ClaimedWebhook,
  DueDelivery,
  NewDelivery,
  WebhookAccounts,
  WebhookQueue,
  WebhookRetention,
} from '../usecases/ports.ts';
import { type EventRecorder, insertDelivery } from './pg-webhooks.ts';

/** A webhook keeps this many deliveries, whatever their age. */
const KEPT_MAX = 1_000;

const IN_ORDER = 'd.webhook_id = w.webhook_id AND d.due_ms IS NOT NULL AND NOT d.is_by_hand';
/** True for a webhook whose next events may be read. */
const IS_READY = `(w.is_enabled AND w.is_account_active AND w.newest > w.position AND w.paused_until_ms <= $1
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE ${IN_ORDER}))`;

/** Looks without locks first; what another replica has taken meanwhile is passed over. */
const CLAIM = `
WITH busy AS (
  SELECT w.webhook_id FROM webhooks w WHERE ${IS_READY}
  UNION
  SELECT w.webhook_id FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
  WHERE d.due_ms <= $1 AND (d.is_by_hand OR w.is_enabled) AND w.is_account_active
), wanted AS (
  SELECT w.webhook_id, w.served_ms, row_number() OVER (PARTITION BY w.owner_id ORDER BY w.served_ms, w.webhook_id)
    + (SELECT count(*) FROM webhooks o WHERE o.owner_id = w.owner_id AND o.leased_until_ms > $1) AS place
  FROM busy JOIN webhooks w ON w.webhook_id = busy.webhook_id
  WHERE w.leased_until_ms <= $1
), taken AS (
  SELECT webhook_id FROM webhooks
  WHERE webhook_id IN (SELECT webhook_id FROM wanted WHERE place <= $3 ORDER BY served_ms LIMIT $4)
    AND leased_until_ms <= $1 FOR UPDATE SKIP LOCKED
)
UPDATE webhooks w SET leased_until_ms = $2, served_ms = $1 FROM taken WHERE taken.webhook_id = w.webhook_id
RETURNING w.webhook_id AS "webhookId", w.owner_id AS "ownerId", w.name, w.url, w.filter, w.failures, w.position, w.newest,
  w.leased_until_ms AS "leasedUntilMs", w.is_enabled AS "isActive", ${IS_READY} AS "isReady", w.secret,
  CASE WHEN w.previous_until_ms > $1 THEN w.previous_secret END AS previous`;

type ClaimedRow = Omit<ClaimedWebhook, 'secrets'> & { readonly secret: string; readonly previous: string | null };

export class PgWebhookQueue implements WebhookQueue, WebhookRetention, WebhookAccounts {
  readonly #database: Database;
  readonly #events: EventRecorder;

  constructor(database: Database, events: EventRecorder) {
    this.#database = database;
    this.#events = events;
  }

  async claim(options: Parameters<WebhookQueue['claim']>[0]): Promise<readonly ClaimedWebhook[]> {
    const { nowMs, leasedUntilMs, perAccount, limit } = options;
    const values = [nowMs, leasedUntilMs, perAccount, limit];
    const { rows } = await this.#database.query<ClaimedRow>(CLAIM, values, 'claim-webhooks');
    return rows.map(({ secret, previous, ...row }) => ({
      ...row,
      secrets: previous === null ? [secret] : [secret, previous],
    }));
  }

  async due({ webhookId, isActive }: ClaimedWebhook, nowMs: number): Promise<DueDelivery | undefined> {
    const { rows } = await this.#database.query<DueDelivery>(
      `SELECT delivery_id AS "deliveryId", body, is_by_hand AS "isByHand", failed_tries AS "failedTries"
       FROM webhook_deliveries WHERE webhook_id = $1 AND due_ms <= $2 AND (is_by_hand OR $3)
       ORDER BY is_by_hand DESC, due_ms LIMIT 1`,
      [webhookId, nowMs, isActive],
      'due-delivery',
    );
    return rows[0];
  }

  advance(webhook: ClaimedWebhook, position: number, delivery: NewDelivery | undefined): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      // A person may have set the position forward meanwhile: then these events are left out.
      const isMine = await changeLeased(tx, webhook, 'position = $3', [position], `position = ${webhook.position}`);
      if (isMine && delivery) await addDelivery(tx, webhook, delivery);
      return isMine;
    });
  }

  async record(
    webhook: ClaimedWebhook,
    { deliveryId }: DueDelivery,
    { attempt, outcome }: { readonly attempt: Try; readonly outcome: Outcome },
    event: Event | undefined,
  ): Promise<void> {
    const change = async (tx: Queryable) => {
      const { failures, disabled } = outcome;
      const sets = `failures = $3, last_try = $4, leased_until_ms = 0,
        is_enabled = is_enabled AND $5::text IS NULL, disabled_reason = coalesce($5, disabled_reason)`;
      const isMine = await changeLeased(tx, webhook, sets, [failures, JSON.stringify(attempt), disabled ?? null]);
      if (isMine) await recordTry(tx, webhook, deliveryId, attempt, outcome);
    };
    await (event ? this.#events.recordWith([event], change) : this.#database.transaction(change));
  }

  async release(webhook: ClaimedWebhook, pausedUntilMs: number): Promise<void> {
    await changeLeased(this.#database, webhook, 'leased_until_ms = 0, paused_until_ms = $3', [pausedUntilMs]);
  }

  async followAccount(ownerId: string, status: AccountStatus): Promise<void> {
    if (status === 'DELETED') await this.#database.query('DELETE FROM webhooks WHERE owner_id = $1', [ownerId]);
    else
      await this.#database.query('UPDATE webhooks SET is_account_active = $2 WHERE owner_id = $1', [
        ownerId,
        status === 'ACTIVE',
      ]);
  }

  async purge(beforeMs: number): Promise<number> {
    return deleteInBatches(this.#database, 'webhook_deliveries', 'created_ms < $1 AND due_ms IS NULL', [beforeMs]);
  }
}

/** @returns whether the lease still holds */
async function changeLeased(
  on: Queryable,
  { webhookId, leasedUntilMs }: ClaimedWebhook,
  sets: string,
  values: readonly unknown[],
  also = 'TRUE',
): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE webhooks SET ${sets} WHERE webhook_id = $1 AND leased_until_ms = $2 AND ${also}`,
    [webhookId, leasedUntilMs, ...values],
  );
  return rowCount === 1;
}

/** The oldest ones that nobody waits for make room. */
async function addDelivery(tx: Queryable, webhook: ClaimedWebhook, delivery: NewDelivery): Promise<void> {
  await insertDelivery(tx, webhook, delivery, { isByHand: false });
  await tx.query(
    `DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND due_ms IS NULL AND seq <= (
       SELECT seq FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY seq DESC OFFSET ${KEPT_MAX} LIMIT 1)`,
    [webhook.webhookId],
    'limit-deliveries',
  );
}

async function recordTry(
  tx: Queryable,
  { webhookId }: ClaimedWebhook,
  deliveryId: string,
  attempt: Try,
  { status, dueMs, failedTries }: Outcome,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_deliveries SET status = $3, due_ms = $4, failed_tries = $5,
       is_by_hand = is_by_hand AND $4::bigint IS NOT NULL,
       tries = (CASE WHEN jsonb_array_length(tries) >= ${TRIES_MAX} THEN tries - 0 ELSE tries END) || $6::jsonb
     WHERE webhook_id = $1 AND delivery_id = $2`,
    [webhookId, deliveryId, status, dueMs ?? null, failedTries, JSON.stringify([attempt])],
    'record-try',
  );
}
