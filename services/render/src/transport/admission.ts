import { unavailable } from '@catchment/errors';

/** At most so many pieces of work at a time: each may hold the records of a large chart while it waits to be drawn. */
export class Admission {
  readonly #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws DomainError unavailable when the house is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) throw unavailable('TOO_MANY_CHARTS');
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
    }
  }
}
