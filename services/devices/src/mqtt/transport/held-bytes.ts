import { setTimeout as sleep } from 'node:timers/promises';
import type { Admission } from '../../listening/index.ts';
import { Ending, REASON } from '../domain/reason.ts';

/** A connection that waits for memory looks again so often, and waits so long at most. */
const ROOM_EVERY_MS = 50;
const ROOM_LIMIT_MS = 60_000;

/** Counts the memory of one connection: what has come of its next packet, and messages that are not stored yet. */
export class HeldBytes {
  readonly #admission: Admission;
  readonly #pending: () => number;
  readonly #isGone: () => boolean;
  #held = 0;
  /** Bytes of messages that are being processed. */
  inWork = 0;

  /** @param pending bytes of a packet that is not complete */
  constructor(admission: Admission, pending: () => number, isGone: () => boolean) {
    this.#admission = admission;
    this.#pending = pending;
    this.#isGone = isGone;
  }

  get isNothing(): boolean {
    return this.#held === 0;
  }

  /** Waits until there is memory for what the connection holds; where too many wait already, it ends. */
  async hold(): Promise<void> {
    if (this.#isHeld()) return;
    const endWaiting = this.#admission.wait();
    const endMs = performance.now() + (endWaiting ? ROOM_LIMIT_MS : 0);
    try {
      while (!this.#isHeld()) {
        if (performance.now() > endMs || this.#isGone())
          throw new Ending(REASON.quota, 'too much unfinished data of all clients: try again later');
        await sleep(ROOM_EVERY_MS);
      }
    } finally {
      endWaiting?.();
    }
  }

  #isHeld(): boolean {
    const bytes = this.#pending() + this.inWork;
    if (!this.#admission.hold(this.#held, bytes)) return false;
    this.#held = bytes;
    return true;
  }

  /** Holds no more than what is still there. */
  letGo(): void {
    const bytes = this.#pending() + this.inWork;
    if (bytes < this.#held && this.#admission.hold(this.#held, bytes)) this.#held = bytes;
  }

  /** The connection has ended. */
  release(): void {
    this.#admission.hold(this.#held, 0);
  }
}
