/** The rounds read the time here. */
export type RoundsClock = {
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls `wake` after the time; 0 = after this turn of the event loop. @returns takes the call back */
  after(ms: number, wake: () => void): () => void;
};

export type RoundsTiming = {
  /** A round begins this long after the begin of the one before, unless it is full. */
  readonly lingerMs?: number;
  /** A round begins this long after the end of the one before, full or not. */
  readonly pauseMs?: number;
  /** Items of the same turn of the event loop go along with the first; otherwise the first begins at once. */
  readonly afterTurn?: boolean;
  /** Rounds that may be under way at a time; 1 where absent. */
  readonly atOnce?: number;
  readonly clock?: RoundsClock;
};

type RoundsOptions = RoundsTiming & {
  /** Returns how much waits. */
  readonly waiting: () => number;
  /** Returns whether the waiting items make a round that gains nothing by waiting longer. */
  readonly isFull: () => boolean;
  /** Takes what waits, or a part of it. @returns undefined when the round is over already; a rejection ends the process */
  readonly work: () => Promise<void> | undefined;
  /** Called when nothing waits any more and no round is under way. */
  readonly onQuiet?: () => void;
};

const CLOCK: RoundsClock = {
  now: () => performance.now(),
  after: (ms, wake) => {
    if (ms > 0) {
      const timer = setTimeout(wake, ms);
      return () => clearTimeout(timer);
    }
    const immediate = setImmediate(wake);
    return () => clearImmediate(immediate);
  },
};

/** Begins rounds of work while something waits: a quiet moment begins one at once, a busy time few large ones. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #clock: RoundsClock;
  #begunMs = Number.NEGATIVE_INFINITY;
  #endedMs = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  #isStopped = false;
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;
  #quiet: PromiseWithResolvers<void> | undefined;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? CLOCK;
  }

  /** Call this whenever something has come. */
  arrived(): void {
    if (this.#mayBegin) this.#look(this.#options.afterTurn === true);
  }

  /** Resolves when nothing waits and no round is under way. */
  async idle(): Promise<void> {
    while (!this.#isQuiet) {
      this.#quiet ??= Promise.withResolvers<void>();
      await this.#quiet.promise;
    }
  }

  /** No further round begins. Resolves when none is under way. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#clearTimer();
    return this.idle();
  }

  get #mayBegin(): boolean {
    const { waiting, atOnce = 1 } = this.#options;
    return !this.#isStopped && this.#underWay < atOnce && waiting() > 0;
  }

  get #isQuiet(): boolean {
    return this.#underWay === 0 && (this.#isStopped || this.#options.waiting() === 0);
  }

  #look(waitsForTurn: boolean): void {
    while (this.#mayBegin) {
      const nowMs = this.#clock.now();
      const leftMs = Math.max(0, this.#nextMs - nowMs);
      if (leftMs > 0 || waitsForTurn) {
        this.#beginAfter(leftMs, nowMs);
        return;
      }
      this.#begin();
    }
    if (!this.#isQuiet) return;
    this.#quiet?.resolve();
    this.#quiet = undefined;
    this.#options.onQuiet?.();
  }

  get #nextMs(): number {
    const { isFull, lingerMs = 0, pauseMs = 0 } = this.#options;
    const pausedMs = this.#endedMs + pauseMs;
    return lingerMs === 0 || isFull() ? pausedMs : Math.max(pausedMs, this.#begunMs + lingerMs);
  }

  #beginAfter(leftMs: number, nowMs: number): void {
    const dueMs = nowMs + leftMs;
    if (this.#timer && this.#timer.dueMs <= dueMs) return;
    this.#clearTimer();
    const wake = () => {
      this.#timer = undefined;
      // Timers may be a little early.
      if (this.#mayBegin) this.#begin();
      this.#look(false);
    };
    this.#timer = { dueMs, cancel: this.#clock.after(leftMs, wake) };
  }

  #begin(): void {
    this.#clearTimer();
    this.#begunMs = this.#clock.now();
    this.#underWay += 1;
    const work = this.#options.work();
    if (!work) this.#ended();
    else
      void work.finally(() => {
        this.#ended();
        this.#look(false);
      });
  }

  #ended(): void {
    this.#underWay -= 1;
    this.#endedMs = this.#clock.now();
  }

  #clearTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
