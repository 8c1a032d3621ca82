import { unavailable } from '@catchment/errors';

/**
 * How many answers are made at a time, since each holds its records in memory; a bounded number of others waits its turn.
 */
export class ReadQueue {
  readonly #places: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(places: number, maxWaiting: number) {
    this.#places = places;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Resolves with what gives the place back.
   * @throws DomainError unavailable when too many wait already; the signal's reason when it aborts meanwhile
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#places) this.#taken += 1;
    else {
      if (this.#waiting.length >= this.#maxWaiting) throw unavailable('TOO_MANY_READS');
      await this.#turn(signal);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#waiting.shift();
      // The place passes on without ever being free.
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason);
      };
      this.#waiting.push(take);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
