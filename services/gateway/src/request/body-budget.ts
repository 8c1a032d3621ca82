import { unavailable } from '@catchment/errors';

/** Bounds the memory of all request bodies together: a request that does not fit is told to come again. */
export class BodyBudget {
  #freeBytes: number;

  constructor(totalBytes: number) {
    this.#freeBytes = totalBytes;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** What one request takes; `release` gives all of it back, however often it is called. */
  open(): { take(bytes: number): void; release(): void } {
    let takenBytes = 0;
    return {
      /** @throws DomainError unavailable */
      take: (bytes) => {
        if (bytes > this.#freeBytes) throw unavailable('BODY_MEMORY_FULL');
        this.#freeBytes -= bytes;
        takenBytes += bytes;
      },
      release: () => {
        this.#freeBytes += takenBytes;
        takenBytes = 0;
      },
    };
  }
}
