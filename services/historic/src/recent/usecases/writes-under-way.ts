/** A read from the store becomes a window, unless something is written meanwhile. */
type Filling = { isSpoiled: boolean };
type Writing = { count: number; isMixed: boolean };

/**
 * A write that was given up may still be on its way to the store, whose own limit for it is far shorter; and a store that was away may come back with
 * other records.
 */
const DOUBT_MS = 120_000;

/** Knows the series that are written now, and those that are read from the store to become windows. */
export class WritesUnderWay {
  readonly #filling = new Map<string, Filling>();
  readonly #writing = new Map<string, Writing>();
  #doubtUntilMs = Number.NEGATIVE_INFINITY;

  /** Returns whether no write of a series is under way, and none that failed may still arrive. */
  isQuiet(nodeId: string, nowMs: number): boolean {
    return nowMs >= this.#doubtUntilMs && !this.#writing.has(nodeId);
  }

  /** @returns undefined where another read of the series is under way */
  beginRead(nodeId: string): Filling | undefined {
    if (this.#filling.has(nodeId)) return undefined;
    const filling: Filling = { isSpoiled: false };
    this.#filling.set(nodeId, filling);
    return filling;
  }

  endRead(nodeId: string): void {
    this.#filling.delete(nodeId);
  }

  beginWrite(nodeId: string): void {
    const filling = this.#filling.get(nodeId);
    if (filling) filling.isSpoiled = true;
    const writing = this.#writing.get(nodeId);
    if (!writing) this.#writing.set(nodeId, { count: 1, isMixed: false });
    else {
      writing.isMixed = true;
      writing.count += 1;
    }
  }

  /** @returns true where there were several at once: nobody knows which of them the store takes last */
  endWrite(nodeId: string): boolean {
    const writing = this.#writing.get(nodeId);
    if (!writing) return false;
    writing.count -= 1;
    if (writing.count === 0) this.#writing.delete(nodeId);
    return writing.isMixed;
  }

  /** A write may or may not have reached the store, or may still reach it: nothing is certain for a while. */
  doubt(nowMs: number): void {
    this.#doubtUntilMs = nowMs + DOUBT_MS;
    for (const filling of this.#filling.values()) filling.isSpoiled = true;
  }
}
