import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { Store } from './ports.ts';

/** The client may give up its place. */
export type Placed = {
  /** Returns whether nothing came from it for `quietMs`: a link that broke without a word leaves such a client behind. */
  isQuiet(quietMs: number): boolean;
  /** Another client has its place. */
  replaced(): void;
};

const QUIET_MS = 20_000;
/** This is well below the time in the store after which a place is free. */
const RENEW_EVERY_MS = 5_000;
const AGAIN_MS = 1_000;

type Held = { readonly client: Placed; readonly placeId: string };

/**
 * Lets one client of each source in at a time (docs/reference/acquisition.md#uploads), over all replicas: a place is a lease in the store.
 */
export class OneOfEach {
  readonly #store: Pick<Store, 'takePlace' | 'keepPlaces' | 'leavePlace'>;
  readonly #clients = new Map<string, Held>();
  /** The key is the source. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #renewing: Repeated;
  readonly #log: Logger;

  constructor(store: Pick<Store, 'takePlace' | 'keepPlaces' | 'leavePlace'>, log: Logger) {
    this.#store = store;
    this.#log = log;
    const failed = 'places of clients could not be renewed';
    this.#renewing = repeat(() => this.#renew(), { everyMs: RENEW_EVERY_MS, failed, log });
  }

  /** @returns false: another client is at work @throws DomainError unavailable */
  async enter(sourceId: string, client: Placed): Promise<boolean> {
    const other = this.#clients.get(sourceId);
    if (other && !other.client.isQuiet(QUIET_MS)) return false;
    await this.#leaving.get(sourceId);
    const placeId = randomUUID();
    const take = () => this.#store.takePlace(sourceId, placeId, other?.placeId);
    // A client that has just left another replica may not have left its place yet.
    if (!(await take())) {
      await sleep(AGAIN_MS);
      if (!(await take())) return false;
    }
    other?.client.replaced();
    this.#clients.set(sourceId, { client, placeId });
    return true;
  }

  leave(sourceId: string, client: Placed): void {
    const held = this.#clients.get(sourceId);
    if (held?.client !== client) return;
    this.#clients.delete(sourceId);
    const leaving = this.#store
      .leavePlace(held.placeId)
      .catch((err: unknown) => this.#log.debug({ err, sourceId }, 'the place of a client is free a little later'))
      .finally(() => this.#leaving.get(sourceId) === leaving && this.#leaving.delete(sourceId));
    this.#leaving.set(sourceId, leaving);
  }

  async close(): Promise<void> {
    await this.#renewing.stop();
    await Promise.all(this.#leaving.values());
  }

  /** Quiet clients keep their place as long as nobody else wants it. */
  async #renew(): Promise<void> {
    const active = [...this.#clients].filter(([, { client }]) => !client.isQuiet(QUIET_MS));
    if (active.length === 0) return;
    const kept = await this.#store.keepPlaces(active.map(([, { placeId }]) => placeId));
    for (const [sourceId, held] of active) {
      if (kept.has(held.placeId) || this.#clients.get(sourceId) !== held) continue;
      this.#clients.delete(sourceId);
      held.client.replaced();
    }
  }
}
