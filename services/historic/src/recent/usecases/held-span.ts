/**
 * Says whether all that is written goes through this replica: everything that the log has delivered since a span of time began was delivered
 * to it.
 */
export type LogHold = {
  /** Returns the span that is under way, as the broker says it now; undefined: others have taken something, or nobody knows. */
  current(): Promise<number | undefined>;
  /** As far as this replica knows, this span is under way. */
  readonly span: number;
};

/** The broker is not asked for each read where other processes hold the log. */
const NOT_HELD_MS = 1_000;
const NOT_HELD_TIMES = 3;

/** Knows the span of the log that this replica holds. The broker is asked seldom where others hold it. */
export class HeldSpan {
  readonly #monotonicMs: () => number;
  #hold: LogHold | undefined;
  #notHeld = 0;
  #notHeldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  follow(hold: LogHold): void {
    this.#hold = hold;
  }

  /** Returns the span that is under way, as far as this replica knows. */
  get known(): number | undefined {
    return this.#hold?.span;
  }

  /** Returns whether the broker may say that this replica holds the log. */
  mayBeHeld(nowMs: number): boolean {
    return this.#hold !== undefined && nowMs >= this.#notHeldUntilMs;
  }

  /** Returns the span that is under way, as the broker says it now; undefined where this replica does not hold it. */
  async confirmed(): Promise<number | undefined> {
    const span = await this.#hold?.current();
    // Deliveries since the broker answered are known here.
    if (span !== undefined && span === this.#hold?.span) {
      this.#notHeld = 0;
      return span;
    }
    this.#notHeld += 1;
    if (this.#notHeld >= NOT_HELD_TIMES) this.#notHeldUntilMs = this.#monotonicMs() + NOT_HELD_MS;
    return undefined;
  }
}
