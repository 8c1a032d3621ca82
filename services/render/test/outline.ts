type Columns = { readonly startMs: number; readonly endMs: number; readonly columns: number };

/** Said plainly: indexes of the first, last, lowest and highest number of each column, and of the records without a value between them. */
export function outlineOf(times: Float64Array, values: Float64Array, { startMs, endMs, columns }: Columns): number[] {
  const columnOf = (n: number) =>
    Math.min(Math.floor((((times[n] ?? 0) - startMs) * columns) / (endMs - startMs)), columns - 1);
  const kept = new Set<number>();
  let own: number[] = [];
  const keep = () => {
    const by = (better: (a: number, b: number) => boolean) =>
      own.reduce((best, n) => (better(values[n] ?? 0, values[best] ?? 0) ? n : best));
    if (own.length === 0) return;
    for (const n of [own[0], own.at(-1), by((a, b) => a < b), by((a, b) => a > b)]) kept.add(n ?? 0);
    own = [];
  };
  for (let n = 0; n < values.length; n += 1) {
    if (Number.isNaN(values[n])) kept.add(n);
    else {
      if (own.length > 0 && columnOf(own[0] ?? 0) !== columnOf(n)) keep();
      own.push(n);
    }
  }
  keep();
  return [...kept].sort((a, b) => a - b);
}
