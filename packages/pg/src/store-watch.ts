import { type DomainError, type ReasonOf, unavailable } from '@catchment/errors';
import { Bag } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';

type StoreWatchOptions = {
  /** The log names the store so, PostgreSQL for example. */
  readonly store: string;
  /** Questions to a silent store end with an error of this reason. */
  readonly reason: ReasonOf<'unavailable'>;
  /** Resolves when the store answers; costs it next to nothing, and must not wait behind questions. */
  readonly ping: (signal: AbortSignal) => Promise<void>;
  /** Longest wait for the answer of a ping; two seconds where absent. */
  readonly pingLimitMs?: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/** A question to the store. */
export type Asked = {
  /** Aborted when the store is found silent. */
  readonly signal: AbortSignal;
  /** The store has sent something. */
  heard(): void;
  /** Call this once, however the question ends. */
  end(): void;
};

/** Waits are counted in checks, between which arrived bytes are read: a starved process must not take that for silence. */
const LOOK_MS = 250;
const PING_AFTER_LOOKS = 4;
const SILENT_AFTER_LOOKS = 20;
const PING_LIMIT_MS = 2_000;

/**
 * Distinguishes a store that hangs from one that is slow. While questions wait and nothing comes for a second, it is
 * pinged: a store that works on a question answers pings. When nothing at all has come for 5 s, questions under way
 * end, and new ones are refused at once, until a ping is answered. A circuit breaker of a library counts failures and
 * times of the questions themselves, which is what a long question and a store that hangs have in common.
 */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  readonly #asked = new Bag<AbortController>();
  #timer: NodeJS.Timeout | undefined;
  /** Looks since something came, and since the last ping. */
  #quietLooks = 0;
  #looksSincePing = 0;
  #isPinging = false;
  #silentSinceMs: number | undefined;
  #isClosed = false;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  /** @throws DomainError unavailable while the store is silent */
  ask(): Asked {
    if (this.#silentSinceMs !== undefined) throw this.#silent();
    const ending = new AbortController();
    if (this.#asked.size === 0) this.#quietLooks = 0;
    const end = this.#asked.add(ending);
    this.#look();
    return {
      signal: ending.signal,
      heard: () => {
        this.#quietLooks = 0;
      },
      end: () => void end(),
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const isSilent = this.#silentSinceMs !== undefined;
      if (this.#asked.size === 0 && !isSilent) return;
      this.#quietLooks += 1;
      this.#looksSincePing += 1;
      if (!isSilent && this.#quietLooks >= SILENT_AFTER_LOOKS) this.#fallSilent();
      const isQuiet = this.#quietLooks >= PING_AFTER_LOOKS && this.#looksSincePing >= PING_AFTER_LOOKS;
      if (isQuiet && !this.#isPinging) void this.#sendPing();
      this.#look();
    }, LOOK_MS).unref();
  }

  async #sendPing(): Promise<void> {
    this.#isPinging = true;
    this.#looksSincePing = 0;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#options.pingLimitMs ?? PING_LIMIT_MS).unref();
    try {
      await this.#options.ping(late.signal);
      this.#answered();
    } catch {
      // The looks go on after a ping without an answer.
    }
    clearTimeout(timer);
    this.#isPinging = false;
  }

  #answered(): void {
    this.#quietLooks = 0;
    if (this.#silentSinceMs === undefined) return;
    const silentMs = Math.round(performance.now() - this.#silentSinceMs);
    this.#silentSinceMs = undefined;
    const { log, store } = this.#options;
    log.info({ store, silentMs }, 'the store answers again');
  }

  #fallSilent(): void {
    this.#silentSinceMs = performance.now();
    const { log, store } = this.#options;
    log.warn({ store, questions: this.#asked.size }, 'the store answers nothing: questions are refused until it does');
    for (const ending of this.#asked.all()) ending.abort(this.#silent());
  }

  #silent(): DomainError {
    return unavailable(this.#options.reason);
  }
}
