import { seededRandom } from '@catchment/testkit';

/** Numbers that a seed repeats. */
export function random(seed: number) {
  const next = seededRandom(seed);
  const below = (n: number) => Math.floor(next() * n);
  return { below, pick: <T>(all: readonly T[]): T => all[below(all.length)]! };
}
export type Random = ReturnType<typeof random>;
