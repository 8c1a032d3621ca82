import { LRUCache } from 'lru-cache';

/** This many series are remembered; each takes some 150 bytes. */
const MAX_SERIES = 20_000;

/** Returns the span of the log that this replica holds, as the broker says it now; undefined: others may write too. */
export type HeldSpan = () => Promise<number | undefined>;

type Newest = { readonly timeMs: number; readonly isCertain: boolean };

/**
 * Remembers a time for series behind which the store has no record of them, so that the store is not asked for each write: it copies all
 * records of the series that it has in its cache for an answer. A time is certain while all that is written goes through this replica, which
 * the broker says for each batch: it is forgotten with the span of the log in which it was learnt.
 */
export class NewestTimes {
  readonly #heldSpan: HeldSpan;
  readonly #newest = new LRUCache<string, Newest>({ max: MAX_SERIES });
  #learntIn: number | undefined;

  constructor(heldSpan: HeldSpan) {
    this.#heldSpan = heldSpan;
  }

  /** Call this before times are asked for: those of another span are forgotten. */
  async confirm(): Promise<void> {
    const span = await this.#heldSpan();
    if (span !== this.#learntIn) this.#newest.clear();
    this.#learntIn = span;
  }

  /** Returns a time behind which there is no record; undefined: only the store knows. */
  get(nodeId: string): number | undefined {
    const newest = this.#newest.get(nodeId);
    return newest?.isCertain ? newest.timeMs : undefined;
  }

  /** Call this before the store is asked. @returns call it with what the store answered */
  asking(nodeIds: readonly string[]): (newest: ReadonlyMap<string, number>) => void {
    const span = this.#learntIn;
    if (span === undefined) return () => {};
    for (const nodeId of nodeIds)
      if (!this.#newest.has(nodeId)) this.#newest.set(nodeId, { timeMs: Number.NEGATIVE_INFINITY, isCertain: false });
    return (found) => {
      if (span !== this.#learntIn) return;
      for (const [nodeId, timeMs] of found) {
        // Other partitions may have written to the series since the store was asked.
        const known = this.#newest.get(nodeId);
        if (known) this.#newest.set(nodeId, { timeMs: Math.max(known.timeMs, timeMs), isCertain: true });
      }
    };
  }

  /** Call this before a record is written: it may be stored also where the store does not answer. */
  raise(nodeId: string, timeMs: number): void {
    const known = this.#newest.get(nodeId);
    if (known && known.timeMs < timeMs) this.#newest.set(nodeId, { ...known, timeMs });
  }

  /** Call this for series whose records were deleted. */
  forget(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) this.#newest.delete(nodeId);
  }
}
