import { RateLimiterMemory } from 'rate-limiter-flexible';

export type AdmissionLimits = {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Failed identifications of one address within the window. */
  readonly maxFailures: number;
  readonly failureWindowSeconds: number;
  /** Bytes of incomplete lines that all connections together may hold. */
  readonly maxPendingBytes: number;
};

/** Small lines are not counted against the common budget. */
const FREE_BYTES = 64 * 1024;

/** What all connections share: how many there are, who failed too often, how much memory unfinished lines take. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #failures: RateLimiterMemory;
  readonly #perAddress = new Map<string, number>();
  #connections = 0;
  #pendingBytes = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#failures = new RateLimiterMemory({ points: limits.maxFailures, duration: limits.failureWindowSeconds });
  }

  get maxConnections(): number {
    return this.#limits.maxConnections;
  }

  /** Undefined = welcome, and counted until `leave`. */
  async enter(address: string): Promise<'TOO_MANY_CONNECTIONS' | 'TOO_MANY_FAILURES' | undefined> {
    const here = this.#perAddress.get(address) ?? 0;
    const { maxConnections, maxConnectionsPerAddress, maxFailures } = this.#limits;
    if (this.#connections >= maxConnections || here >= maxConnectionsPerAddress) return 'TOO_MANY_CONNECTIONS';
    this.#connections += 1;
    this.#perAddress.set(address, here + 1);
    const failed = await this.#failures.get(address);
    if (failed === null || failed.consumedPoints < maxFailures) return undefined;
    this.leave(address);
    return 'TOO_MANY_FAILURES';
  }

  leave(address: string): void {
    this.#connections -= 1;
    const left = (this.#perAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }

  async failed(address: string): Promise<void> {
    // Rejects once the limit is reached; the count is what matters.
    await this.#failures.consume(address).catch(() => {});
  }

  /** Replaces what a connection holds. @returns false when there is no room for it: the old amount stays */
  hold(beforeBytes: number, bytes: number): boolean {
    const change = Math.max(0, bytes - FREE_BYTES) - Math.max(0, beforeBytes - FREE_BYTES);
    if (change > 0 && this.#pendingBytes + change > this.#limits.maxPendingBytes) return false;
    this.#pendingBytes += change;
    return true;
  }
}
