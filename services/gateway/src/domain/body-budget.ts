import { unavailable } from '@catchment/errors';

/**
 * Bounds the memory of all request bodies together: a request that does not fit is refused for now. The bodies of one account
 * never take more than they leave free, so that there is always room for another account's.
 */
export class BodyBudget {
  readonly #taken = new Map<string, number>();
  #freeBytes: number;

  constructor(totalBytes: number) {
    this.#freeBytes = totalBytes;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /**
   * The memory of one request; `release` returns all of it and may be called more than once.
   * @param account of the request, where it is known
   */
  open(account?: string): { take(bytes: number): void; release(): void } {
    let takenBytes = 0;
    return {
      /** @throws DomainError unavailable */
      take: (bytes) => {
        const taken = (account !== undefined && this.#taken.get(account)) || 0;
        // An account that has nothing yet may take the last of it.
        const isTooMuch = taken > 0 && taken + bytes > this.#freeBytes - bytes;
        if (bytes > this.#freeBytes || isTooMuch) throw unavailable('BODY_MEMORY_FULL');
        this.#add(account, bytes);
        takenBytes += bytes;
      },
      release: () => {
        this.#add(account, -takenBytes);
        takenBytes = 0;
      },
    };
  }

  #add(account: string | undefined, bytes: number): void {
    this.#freeBytes -= bytes;
    if (account === undefined) return;
    const all = (this.#taken.get(account) ?? 0) + bytes;
    if (all === 0) this.#taken.delete(account);
    else this.#taken.set(account, all);
  }
}
