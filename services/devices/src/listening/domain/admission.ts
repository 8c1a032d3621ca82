import { networkOf } from './address-ranges.ts';

export type AdmissionLimits = {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** All connections together may hold this many bytes of incomplete lines. */
  readonly maxPendingBytes: number;
};

/** Small lines are not counted against the common budget. */
const FREE_BYTES = 64 * 1024;
/** At most this many connections wait for room. Each holds what it has read, and what the system has read for it. */
const MAX_WAITING = 32;

/** All connections share these counts: how many there are, and how much memory unfinished lines take. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #perAddress = new Map<string, number>();
  #connections = 0;
  #pendingBytes = 0;
  #waiting = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  get maxConnections(): number {
    return this.#limits.maxConnections;
  }

  /** @returns false when there are too many; otherwise it is counted until `leave` */
  enter(address: string): boolean {
    const network = networkOf(address);
    const here = this.#perAddress.get(network) ?? 0;
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    if (this.#connections >= maxConnections || here >= maxConnectionsPerAddress) return false;
    this.#connections += 1;
    this.#perAddress.set(network, here + 1);
    return true;
  }

  leave(address: string): void {
    this.#connections -= 1;
    const network = networkOf(address);
    const left = (this.#perAddress.get(network) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(network, left);
    else this.#perAddress.delete(network);
  }

  /** Replaces what a connection holds. @returns false when there is no room for it: the old amount stays */
  hold(beforeBytes: number, bytes: number): boolean {
    const change = Math.max(0, bytes - FREE_BYTES) - Math.max(0, beforeBytes - FREE_BYTES);
    if (change > 0 && this.#pendingBytes + change > this.#limits.maxPendingBytes) return false;
    this.#pendingBytes += change;
    return true;
  }

  /** A connection waits for room until it calls what it is given. @returns undefined when too many wait: it is to be ended */
  wait(): (() => void) | undefined {
    if (this.#waiting >= MAX_WAITING) return undefined;
    this.#waiting += 1;
    return () => {
      this.#waiting -= 1;
    };
  }
}
