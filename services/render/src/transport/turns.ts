import { unavailable } from '@catchment/errors';

/** Work that holds much memory takes turns: so many at once, so many waiting, which hold nothing yet. */
export class Turns {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(options: { atOnce: number; waiting: number }) {
    this.#free = options.atOnce;
    this.#maxWaiting = options.waiting;
  }

  /** @throws DomainError unavailable when too many wait; the signal's reason when aborted before its turn */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.length >= this.#maxWaiting) throw unavailable('TOO_MANY_PREVIEWS');
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      const place = this.#waiting.indexOf(turn.resolve);
      // Its turn may have come in the same moment.
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      turn.reject(signal.reason);
    };
    this.#waiting.push(turn.resolve);
    signal.addEventListener('abort', leave, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', leave));
  }
}
