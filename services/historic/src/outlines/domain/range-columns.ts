/**
 * Divides a range of which both ends are included into equal columns: a time `t` is in column `floor((t - start) * count / (end - start))`,
 * as pixels of a picture are counted, and the end in the last one. A range of one instant is one column.
 */
export class RangeColumns {
  readonly count: number;
  /** Columns begin at these milliseconds; the last is behind the range: column k is `[starts[k], starts[k + 1])`. */
  readonly starts: Float64Array;
  /** A column lasts `wholeMs` + `rest` / `count` milliseconds. */
  readonly wholeMs: number;
  readonly rest: number;

  /** @param startMs whole Unix ms, as `endMs`, which is not before it */
  constructor(startMs: number, endMs: number, count: number) {
    const spanMs = endMs - startMs;
    this.count = spanMs === 0 ? 1 : count;
    this.wholeMs = Math.floor(spanMs / this.count);
    this.rest = spanMs - this.wholeMs * this.count;
    this.starts = new Float64Array(this.count + 1);
    // Both products are exact, where that of a column and the range would lose digits.
    for (let k = 0; k < this.count; k += 1)
      this.starts[k] = startMs + k * this.wholeMs + Math.ceil((k * this.rest) / this.count);
    this.starts[this.count] = endMs + 1;
  }

  /** Returns the column of a time in the range. */
  indexAt(timeMs: number): number {
    let [from, to] = [0, this.count - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (timeMs >= (this.starts[middle] ?? 0)) from = middle;
      else to = middle - 1;
    }
    return from;
  }

  /** Finds the column sooner, for times that ascend from call to call. */
  ascendingIndex(): (timeMs: number) => number {
    let index = 0;
    return (timeMs) => {
      while (index < this.count - 1 && timeMs >= (this.starts[index + 1] ?? 0)) index += 1;
      return index;
    };
  }
}
