/** One piece of work takes this many milliseconds. */
export type Timed = () => Promise<number>;

/**
 * Returns medians of two pieces of work of which each is done in turn, so that both have the same machine; after one turn that warms up.
 */
export async function inTurns(times: number, ours: Timed, floor: Timed): Promise<{ ownMs: number; floorMs: number }> {
  const measured: number[] = [];
  const bare: number[] = [];
  await floor();
  await ours();
  for (let n = 0; n < times; n += 1) {
    bare.push(await floor());
    measured.push(await ours());
  }
  return { ownMs: quantile(measured, 0.5), floorMs: quantile(bare, 0.5) };
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
