import type { DELIVERY_KINDS } from '@catchment/query';
import type { Event } from '../../domain/event.ts';
import type { EventStore } from '../../usecases/ports.ts';
import type { DeliveryStatus, Outcome, Try } from '../domain/delivery.ts';
import type { DisabledReason, TargetRules, WebhookSettings } from '../domain/webhook.ts';

/** A webhook without its secrets. Times are Unix ms. */
export type Webhook = WebhookSettings & {
  readonly webhookId: string;
  readonly ownerId: string;
  readonly createdMs: number;
  /** The platform disabled it for this reason. */
  readonly disabledReason: DisabledReason | undefined;
  /** This many deliveries were given up since one arrived. */
  readonly failures: number;
  readonly lastTry: Try | undefined;
  /** True if the account has events that it has not come to yet, of whatever filter. */
  readonly isBehind: boolean;
  /** The previous secret signs too until this time; undefined = there is none. */
  readonly previousUntilMs: number | undefined;
};

/** A webhook of an account: ids of others find nothing. */
export type WebhookKey = Pick<Webhook, 'ownerId' | 'webhookId'>;

type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export type NewDelivery = {
  readonly deliveryId: string;
  readonly kind: DeliveryKind;
  /** This JSON is signed and sent. */
  readonly body: string;
  readonly eventCount: number;
  readonly createdMs: number;
};

/** The log shows this of a delivery. */
export type Delivery = Omit<NewDelivery, 'body'> & {
  readonly status: DeliveryStatus;
  readonly dueMs: number | undefined;
  readonly tries: readonly Try[];
};

/**
 * Webhooks as people see and change them; each change is stored together with the event that reports it.
 * @throws DomainError not_found for changes of a webhook that the account does not have
 */
export interface WebhookStore {
  /** Lists the webhooks of the account in the order of making. */
  list(ownerId: string): Promise<readonly Webhook[]>;
  find(ownerId: string, webhookId: string): Promise<Webhook | undefined>;
  /** @throws DomainError invalid_argument when the account has as many as it may */
  create(webhook: NewWebhook, event: Event): Promise<void>;
  /**
   * Stores changed settings; a change that enables a webhook ends its row of failures. @param check of the settings as
   * they are, under their lock
   */
  update(webhook: WebhookKey, change: StoredChange, event: Event, check: CheckSettings): Promise<void>;
  /** @param previousUntilMs until when the present secret signs beside the new one */
  rotate(
    webhook: WebhookKey,
    secret: { readonly secret: string; readonly previousUntilMs: number },
    event: Event,
  ): Promise<void>;
  remove(webhook: WebhookKey, event: Event, check: CheckSettings): Promise<void>;
  /** Newest first. */
  deliveries(webhook: WebhookKey, page: Page): Promise<readonly Delivery[]>;
  /** Adds a delivery that is tried once, at once. @throws DomainError failed_precondition when too many of them wait */
  addByHand(webhook: WebhookKey, delivery: NewDelivery): Promise<void>;
  /**
   * Has a delivery tried now, under its id: one that waits for its next try makes it, others are tried once.
   * @returns undefined when there is no such delivery @throws as `addByHand`
   */
  redeliver(webhook: WebhookKey, deliveryId: string, nowMs: number): Promise<Delivery | undefined>;
}

/** @throws what is to refuse a change */
export type CheckSettings = (now: WebhookSettings) => void;

export type NewWebhook = WebhookSettings &
  Pick<Webhook, 'webhookId' | 'ownerId' | 'createdMs'> & { readonly secret: string };
/** @param skipsWaiting events that it has not come to are left out */
export type StoredChange = { readonly settings: WebhookSettings; readonly skipsWaiting: boolean };
export type Page = {
  readonly limit: number;
  readonly skip: number;
  /** undefined = of any. */
  readonly status: DeliveryStatus | undefined;
};

/** This replica alone works on the webhook until `leasedUntilMs`. */
export type ClaimedWebhook = {
  readonly webhookId: string;
  readonly ownerId: string;
  readonly name: string;
  readonly url: string;
  readonly filter: string;
  /** The present one first. */
  readonly secrets: readonly string[];
  readonly failures: number;
  /** True if its next events may be read: it is enabled, and none of its deliveries waits. */
  readonly isReady: boolean;
  readonly isActive: boolean;
  readonly position: number;
  /** Newest position in the account. */
  readonly newest: number;
  readonly leasedUntilMs: number;
};

export type DueDelivery = Pick<NewDelivery, 'deliveryId' | 'body'> & {
  readonly isByHand: boolean;
  readonly failedTries: number;
};

/** The work of all replicas. A report of a replica about a webhook whose lease is over changes nothing. */
export interface WebhookQueue {
  /**
   * Takes webhooks that have something to do: the accounts' and their webhooks in turn, of an account at most `perAccount` at a time.
   */
  claim(options: {
    readonly nowMs: number;
    readonly leasedUntilMs: number;
    readonly perAccount: number;
    readonly limit: number;
  }): Promise<readonly ClaimedWebhook[]>;
  due(webhook: ClaimedWebhook, nowMs: number): Promise<DueDelivery | undefined>;
  /**
   * Goes on to a position; what lies before it is in the delivery, in one transaction.
   * @returns whether the lease still held
   */
  advance(webhook: ClaimedWebhook, position: number, delivery: NewDelivery | undefined): Promise<boolean>;
  /** Stores what a try has led to, and ends the lease. @param event reports that the webhook was disabled */
  record(
    webhook: ClaimedWebhook,
    delivery: DueDelivery,
    result: { readonly attempt: Try; readonly outcome: Outcome },
    event: Event | undefined,
  ): Promise<void>;
  /** Ends the lease. @param pausedUntilMs its events are not read before */
  release(webhook: ClaimedWebhook, pausedUntilMs: number): Promise<void>;
}

export interface WebhookSender {
  /**
   * Signs and sends once; a failure is an answer.
   * @throws when `signal` ends it
   */
  send(
    message: { readonly url: string; readonly id: string; readonly body: string; readonly secrets: readonly string[] },
    signal: AbortSignal,
  ): Promise<Try>;
}

/** A filter names nodes of an account by customId. */
export type NamedNodes = (ownerId: string, customIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const ACCOUNT_STATUSES = ['ACTIVE', 'DISABLED', 'DELETED'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface WebhookAccounts {
  /** A disabled account sends nothing; the webhooks of one that is deleted go with it. */
  followAccount(ownerId: string, status: AccountStatus): Promise<void>;
}

export interface WebhookRetention {
  /** @returns rows removed */
  purge(beforeMs: number): Promise<number>;
}

export type WebhookDeps = {
  readonly webhooks: WebhookStore;
  readonly events: Pick<EventStore, 'list'>;
  readonly rules: TargetRules;
  /** A fresh secret, `whsec_…`. */
  readonly newSecret: () => string;
  readonly now: () => number;
};
