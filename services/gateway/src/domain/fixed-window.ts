import { LRUCache } from 'lru-cache';

export type Usage = {
  readonly isOver: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** The window's end, Unix ms. */
  readonly resetMs: number;
};

type Window = { count: number; readonly resetMs: number };

/** Keys counted at once; the least recently used one is forgotten first, so memory stays bounded under a flood. */
const MAX_KEYS = 100_000;

/** Counts per key in fixed windows that start at the first hit (docs/reference/requests-and-errors.md#rate-limits). */
export class FixedWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_KEYS });

  constructor(options: { limit: number; windowMs: number; now: () => number }) {
    this.#limit = options.limit;
    this.#windowMs = options.windowMs;
    this.#now = options.now;
  }

  /** Counts a hit; one after the limit is over and not counted. */
  take(key: string): Usage {
    const window = this.#current(key);
    if (window.count >= this.#limit) return this.#usage(window, true);
    window.count += 1;
    this.#windows.set(key, window);
    return this.#usage(window, false);
  }

  #current(key: string): Window {
    const now = this.#now();
    const known = this.#windows.get(key);
    return known && known.resetMs > now ? known : { count: 0, resetMs: now + this.#windowMs };
  }

  #usage(window: Window, isOver: boolean): Usage {
    return { isOver, limit: this.#limit, remaining: this.#limit - window.count, resetMs: window.resetMs };
  }
}

/** A replica's share of a limit that holds over all of them; never 0, which would refuse everybody. */
export const shareOf = (limit: number, replicas: number): number => Math.max(1, Math.floor(limit / replicas));
