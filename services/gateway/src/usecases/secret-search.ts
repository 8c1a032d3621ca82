import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';

/** Secrets of one question (`FindSecretsRequest`). */
const MAX_ASKED = 1_000;
/** Between two questions: at most a hundred statements a second, however many wrong keys come. */
const PAUSE_MS = 10;

type Waiting = { readonly sha256: Buffer; readonly found: PromiseWithResolvers<boolean> };
/** Which of the secrets exist. */
export type FindSecrets = (sha256: Buffer[]) => Promise<readonly Uint8Array[]>;

/**
 * Tells secrets that exist from guesses. Those that are asked for while a question is on its way are gathered into the next one, so that a
 * flood of wrong keys costs a bounded number of statements and no good key is refused because of it. What waits is bounded by the
 * connections: each waits for one request.
 */
export class SecretSearch {
  readonly #find: FindSecrets;
  readonly #pause: () => Promise<unknown>;
  #waiting: Waiting[] = [];
  #isAsking = false;

  constructor(find: FindSecrets, pause: () => Promise<unknown> = () => delay(PAUSE_MS)) {
    this.#find = find;
    this.#pause = pause;
  }

  /** @throws DomainError unavailable when nobody can tell */
  exists(sha256: Buffer): Promise<boolean> {
    const found = Promise.withResolvers<boolean>();
    this.#waiting.push({ sha256, found });
    if (!this.#isAsking) void this.#askAll();
    return found.promise;
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      await this.#ask(this.#waiting.splice(0, MAX_ASKED));
      await this.#pause();
    }
    this.#isAsking = false;
  }

  async #ask(asked: readonly Waiting[]): Promise<void> {
    try {
      const known = await this.#find(asked.map(({ sha256 }) => sha256));
      const ids = new Set(known.map((sha256) => Buffer.from(sha256).toString('base64')));
      for (const { sha256, found } of asked) found.resolve(ids.has(sha256.toString('base64')));
    } catch (error) {
      // A peer of an earlier version: each secret is asked for by itself.
      const isUnknownCall = error instanceof DomainError && error.kind === 'unimplemented';
      for (const { found } of asked) isUnknownCall ? found.resolve(true) : found.reject(error);
    }
  }
}
