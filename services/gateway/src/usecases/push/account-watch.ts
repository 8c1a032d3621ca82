import type { Logger } from '@catchment/telemetry';
import type { Feed } from './feed.ts';

/** Follows the accounts that somebody has a stream of, as long as there are any. */
export class AccountWatch {
  readonly #feed: Pick<Feed, 'watch'>;
  readonly #log: Pick<Logger, 'error'>;
  readonly #accounts: () => Iterable<string>;
  readonly #changed: (isChanged: (ownerId: string) => boolean) => void;
  #following: AbortController | undefined;

  /** @param deps.changed is called when accounts may have something new, with a function that says which */
  constructor(deps: {
    feed: Pick<Feed, 'watch'>;
    log: Pick<Logger, 'error'>;
    accounts: () => Iterable<string>;
    changed: (isChanged: (ownerId: string) => boolean) => void;
  }) {
    this.#feed = deps.feed;
    this.#log = deps.log;
    this.#accounts = deps.accounts;
    this.#changed = deps.changed;
  }

  /** Follows from now on; does nothing while it follows already. */
  begin(): void {
    if (this.#following) return;
    const following = new AbortController();
    this.#following = following;
    this.#follow(following.signal)
      .catch((err: unknown) => this.#log.error({ err }, 'streams do not get news'))
      .finally(() => {
        if (this.#following === following) this.#following = undefined;
      });
  }

  end(): void {
    this.#following?.abort();
    this.#following = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for await (const changed of this.#feed.watch(() => [...new Set(this.#accounts())], signal)) {
      if (signal.aborted) return;
      const ownerIds = changed === 'all' ? undefined : new Set(changed);
      this.#changed((ownerId) => ownerIds?.has(ownerId) ?? true);
    }
  }
}
