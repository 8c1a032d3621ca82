import { DomainError, unavailable } from '@catchment/errors';

const RETRY_SECONDS = 30;

/** Limits the streams of this process: those of all, of which an account gets at most half, and those of one key. */
export class StreamSlots {
  readonly #max: number;
  readonly #maxOfKey: number;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(limits: { streams: number; streamsOfKey: number }) {
    this.#max = limits.streams;
    this.#maxOfKey = limits.streamsOfKey;
  }

  /** Streams that are open. */
  get taken(): number {
    return this.#count;
  }

  /**
   * @returns a function that releases the slot; a second call does nothing
   * @throws DomainError resource_exhausted for the key or the account, unavailable where all slots are taken
   */
  take(ownerId: string, keyId: string): () => void {
    if (this.#count >= this.#max) throw unavailable('TOO_MANY_STREAMS');
    const ofAccount = this.#taken.get(ownerId) ?? 0;
    const ofKey = this.#taken.get(keyId) ?? 0;
    if (ofAccount >= Math.ceil(this.#max / 2) || ofKey >= this.#maxOfKey)
      throw new DomainError('resource_exhausted', 'TOO_MANY_STREAMS', 'Too many streams of the key or the account', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    this.#add(1, ownerId, keyId);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(-1, ownerId, keyId);
      isTaken = false;
    };
  }

  #add(change: 1 | -1, ...names: readonly string[]): void {
    this.#count += change;
    for (const name of names) {
      const count = (this.#taken.get(name) ?? 0) + change;
      if (count === 0) this.#taken.delete(name);
      else this.#taken.set(name, count);
    }
  }
}
