/** Longest time that a flush waits for the writer; what a request pays at most for larger batches. */
const LONGEST_WAIT_MS = 20;

/**
 * Lets the group commit keep step with the writer of this process: while it stores one message, the writes that arrive
 * gather for the next, so that a busy installation has few large messages instead of many small ones. A partition that is
 * written elsewhere, or has been quiet, costs no wait.
 */
export class WriterPace {
  readonly #applied = new Map<number, number>();
  readonly #waiting = new Map<number, { sequence: number; resume: () => void }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The writer has stored this message, and all before it. */
  applied(partition: number, sequence: number): void {
    this.#applied.set(partition, sequence);
    const waiting = this.#waiting.get(partition);
    if (waiting && waiting.sequence <= sequence) waiting.resume();
  }

  /** Resolves when the message that was acknowledged at `sinceMs` is stored, at the latest 20 ms after that. */
  async wait(partition: number, sequence: number, sinceMs: number): Promise<void> {
    const leftMs = sinceMs + LONGEST_WAIT_MS - this.#now();
    if (leftMs <= 0 || (this.#applied.get(partition) ?? 0) >= sequence) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      const resume = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.set(partition, { sequence, resume });
    });
    this.#waiting.delete(partition);
  }
}
