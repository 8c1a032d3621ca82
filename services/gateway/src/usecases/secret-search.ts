import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';

/** Secrets of one request (`FindSecretsRequest`). */
const MAX_ASKED = 1_000;
/** Between two requests: at most a hundred statements a second, however many wrong keys come. */
const PAUSE_MS = 10;

type Waiting = { readonly sha256: Buffer; readonly found: PromiseWithResolvers<boolean> };
/** The secrets that exist. */
export type FindSecrets = (sha256: Buffer[]) => Promise<readonly Uint8Array[]>;

/**
 * Separates secrets that exist from guesses. Secrets that come while a request is in flight are gathered into the next one, so that a
 * flood of wrong keys costs a bounded number of statements and no valid key is refused because of it. The waiting secrets are bounded by the
 * connections: each waits for one request.
 */
export class SecretSearch {
  readonly #find: FindSecrets;
  readonly #pause: () => Promise<unknown>;
  #waiting: Waiting[] = [];
  #isSearching = false;

  constructor(find: FindSecrets, pause: () => Promise<unknown> = () => delay(PAUSE_MS)) {
    this.#find = find;
    this.#pause = pause;
  }

  /** @throws DomainError unavailable when the lookup fails */
  exists(sha256: Buffer): Promise<boolean> {
    const found = Promise.withResolvers<boolean>();
    this.#waiting.push({ sha256, found });
    if (!this.#isSearching) void this.#searchAll();
    return found.promise;
  }

  async #searchAll(): Promise<void> {
    this.#isSearching = true;
    while (this.#waiting.length > 0) {
      await this.#ask(this.#waiting.splice(0, MAX_ASKED));
      await this.#pause();
    }
    this.#isSearching = false;
  }

  async #ask(asked: readonly Waiting[]): Promise<void> {
    try {
      const known = await this.#find(asked.map(({ sha256 }) => sha256));
      const ids = new Set(known.map((sha256) => Buffer.from(sha256).toString('base64')));
      for (const { sha256, found } of asked) found.resolve(ids.has(sha256.toString('base64')));
    } catch (error) {
      // A peer of an earlier version: each secret is looked up by itself.
      const isUnknownCall = error instanceof DomainError && error.kind === 'unimplemented';
      for (const { found } of asked) isUnknownCall ? found.resolve(true) : found.reject(error);
    }
  }
}
