import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { ClaimedWebhook, WebhookRetention } from './ports.ts';
import { type ServeDeps, serveWebhook } from './serve-webhook.ts';

type WorkerOptions = ServeDeps & { readonly retention: WebhookRetention; readonly log: Logger };

const POLL_MS = 1_000;
/** A replica has this many deliveries in hand. */
const SLOTS = 32;
/** All replicas send this many deliveries of one account at once: receivers that hang keep no other account waiting. */
const PER_ACCOUNT = 4;
/** Longer than reading events, sending and recording take; a replica that dies leaves its webhooks to others after this time. */
const LEASE_MS = 30_000;
const PAUSE_MS = 60_000;
const PURGE_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;

/** Delivers webhooks. Any number of replicas may run one (docs/adr/0008-background-work.md). */
export class WebhookWorker {
  readonly #options: WorkerOptions;
  readonly #inHand = new Set<Promise<void>>();
  #loops: Repeated[] = [];

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  start(): this {
    const { retention, now, log } = this.#options;
    const options = { failed: 'webhooks could not be looked at, trying again', log };
    this.#loops = [
      repeat((stopping) => this.#fill(stopping), { everyMs: POLL_MS, ...options }),
      repeat(() => retention.purge(now() - KEPT_MS), { everyMs: PURGE_EVERY_MS, ...options }),
    ];
    return this;
  }

  /** There may be something to send. */
  wake(): void {
    this.#loops[0]?.wake();
  }

  /** Breaks off what is being sent: it is sent again, under the same id. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await Promise.all(this.#inHand);
  }

  /** Takes as many webhooks as there are places. */
  async #fill(stopping: AbortSignal): Promise<void> {
    const { queue, now } = this.#options;
    const limit = SLOTS - this.#inHand.size;
    if (limit === 0) return;
    const nowMs = now();
    const leasedUntilMs = nowMs + LEASE_MS;
    for (const webhook of await queue.claim({ nowMs, leasedUntilMs, perAccount: PER_ACCOUNT, limit })) {
      const serving = this.#serve(webhook, stopping).finally(() => {
        this.#inHand.delete(serving);
        this.wake();
      });
      this.#inHand.add(serving);
    }
  }

  async #serve(webhook: ClaimedWebhook, stopping: AbortSignal): Promise<void> {
    const { queue, now, log } = this.#options;
    const { webhookId, ownerId } = webhook;
    try {
      await serveWebhook(this.#options, webhook, stopping);
    } catch (err) {
      const isStopping = stopping.aborted;
      if (!isStopping) log.warn({ err, webhookId, ownerId }, 'webhook not served, trying again');
      await queue.release(webhook, isStopping ? 0 : now() + PAUSE_MS).catch((cause: unknown) => {
        log.warn({ err: cause, webhookId, ownerId }, 'webhook not released, its lease runs out');
      });
    }
  }
}
