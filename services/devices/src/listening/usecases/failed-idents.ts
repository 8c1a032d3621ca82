import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../domain/address-ranges.ts';

export type FailureLimits = {
  /** Failures per address and window. */
  readonly maxFailures: number;
  readonly failureWindowSeconds: number;
};

/** A modem, or another client, says that it is this. */
export type Login = { readonly deviceKey: string; readonly secret?: string | undefined };

type Address = {
  failures: number;
  /** The window ends then. */
  endMs: number;
  /** The next identification is checked then. */
  nextCheckMs: number;
};

/** With more addresses, the one that failed longest ago is forgotten. */
const ADDRESSES = 20_000;
const FAMILIAR = 20_000;
/** Past the limit one identification is checked in this time: a guess a second. */
const CHECK_EVERY_MS = 1_000;
/** A modem waits no longer for its check. */
const LONGEST_WAIT_MS = 15_000;

/**
 * Limits failed identifications per address without refusing the good ones that share it: past the limit, a modem that was right
 * from this address before is checked at once, and the others are checked one after the other.
 */
export class FailedIdents {
  readonly #limits: FailureLimits;
  readonly #now: () => number;
  readonly #addresses = new LRUCache<string, Address>({ max: ADDRESSES });
  readonly #familiar = new LRUCache<string, true>({ max: FAMILIAR });
  readonly #processKey = randomBytes(32);

  constructor(limits: FailureLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** @returns ms to wait before the identification is checked; undefined: too many wait, it is refused unchecked */
  delayMs(address: string, ident: Login | undefined): number | undefined {
    const known = this.#find(address);
    if (!known || known.failures < this.#limits.maxFailures) return 0;
    if (ident && this.#familiar.has(this.#mark(address, ident))) return 0;
    const nowMs = this.#now();
    const waitMs = Math.max(0, known.nextCheckMs - nowMs);
    if (waitMs > LONGEST_WAIT_MS) return undefined;
    known.nextCheckMs = nowMs + waitMs + CHECK_EVERY_MS;
    return waitMs;
  }

  /** @returns whether there were too many before this one */
  failed(address: string): boolean {
    const known = this.#find(address);
    if (known) known.failures += 1;
    else {
      const endMs = this.#now() + this.#limits.failureWindowSeconds * 1_000;
      this.#addresses.set(networkOf(address), { failures: 1, endMs, nextCheckMs: 0 });
    }
    return (known?.failures ?? 1) > this.#limits.maxFailures;
  }

  succeeded(address: string, ident: Login): void {
    this.#familiar.set(this.#mark(address, ident), true);
  }

  #find(address: string): Address | undefined {
    const known = this.#addresses.get(networkOf(address));
    return known && known.endMs > this.#now() ? known : undefined;
  }

  /** Secrets are not kept. */
  #mark(address: string, { deviceKey, secret = '' }: Login): string {
    const text = `${networkOf(address)} ${deviceKey} ${secret}`;
    return createHmac('sha256', this.#processKey).update(text, 'utf8').digest('base64url');
  }
}
