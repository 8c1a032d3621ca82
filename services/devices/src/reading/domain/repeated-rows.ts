/** Times that are remembered of one file. */
const TIMES_MAX = 500_000;

/**
 * Counts the rows of a file that have the time of an earlier row of the same series: the last one counts
 * (docs/reference/acquisition.md#text-parser). Times that only go on, or only go back, need no memory.
 */
export class RepeatedRows {
  readonly #ranges = new Map<number, { lastMs: number; minMs: number; maxMs: number }>();
  readonly #seen: Map<number, bigint> | undefined;
  count = 0;
  /** Some times lie between earlier ones: only a count that remembers all of them is right. */
  isUnsure = false;

  /** @param remembers every time, up to 500 000 */
  constructor({ remembers = false } = {}) {
    this.#seen = remembers ? new Map() : undefined;
  }

  add(timeMs: number, series: Iterable<number>): void {
    if (this.#seen ? this.#isRemembered(this.#seen, timeMs, series) : this.#isLast(timeMs, series)) this.count += 1;
  }

  #isLast(timeMs: number, series: Iterable<number>): boolean {
    let isRepeated = false;
    for (const index of series) {
      const range = this.#ranges.get(index);
      if (!range) {
        this.#ranges.set(index, { lastMs: timeMs, minMs: timeMs, maxMs: timeMs });
        continue;
      }
      if (timeMs === range.lastMs) isRepeated = true;
      else if (timeMs > range.maxMs) range.maxMs = timeMs;
      else if (timeMs < range.minMs) range.minMs = timeMs;
      else this.isUnsure = true;
      range.lastMs = timeMs;
    }
    return isRepeated;
  }

  #isRemembered(seen: Map<number, bigint>, timeMs: number, series: Iterable<number>): boolean {
    let mask = 0n;
    for (const index of series) mask |= 1n << BigInt(index);
    const known = seen.get(timeMs);
    if (known !== undefined || seen.size < TIMES_MAX) seen.set(timeMs, (known ?? 0n) | mask);
    return known !== undefined && (known & mask) !== 0n;
  }
}

/**
 * Counts the rows that repeat a time; they are read once more where the first reading does not say it.
 * @param again gives all rows, `timeMs` and the series that have something
 */
export async function repeatedRows(
  counted: RepeatedRows,
  again: () => AsyncIterable<{ readonly timeMs: number; readonly series: Iterable<number> }>,
): Promise<number> {
  if (!counted.isUnsure) return counted.count;
  const all = new RepeatedRows({ remembers: true });
  for await (const { timeMs, series } of again()) all.add(timeMs, series);
  return all.count;
}
