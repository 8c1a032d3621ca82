/** A program or a rating makes a series out of others. */
export type SeriesMaker = {
  readonly series: string;
  readonly by: { readonly nodeId: string; readonly name: string };
  readonly inputs: readonly string[];
};

/** Whoever computes from more than this has no circle that matters more than an end of the search. */
const MAX_SERIES = 100_000;

/**
 * Returns whether one of the outputs of a program goes into what it is computed from, through programs, ratings and processors.
 * @param makersOf who makes these series; those that nobody makes are left out
 * @returns names on the way from the program to itself; undefined = there is none
 */
export async function findCircle(
  program: { readonly nodeId: string; readonly name: string },
  { inputs, outputs }: { readonly inputs: readonly string[]; readonly outputs: readonly string[] },
  makersOf: (series: readonly string[]) => Promise<readonly SeriesMaker[]>,
): Promise<string[] | undefined> {
  /** Names from the program up to the maker of a series, by series that were looked at. */
  const seen = new Map<string, readonly string[]>(inputs.map((series) => [series, []]));
  const circle = (way: readonly string[]) => [program.name, ...way, program.name];
  if (inputs.some((series) => outputs.includes(series))) return circle([]);
  let level = [...seen.keys()];
  while (level.length > 0 && seen.size <= MAX_SERIES) {
    const next: string[] = [];
    for (const { series, by, inputs: further } of await makersOf(level)) {
      if (by.nodeId === program.nodeId) return circle(seen.get(series) ?? []);
      const way = [...(seen.get(series) ?? []), by.name];
      for (const input of further) {
        if (outputs.includes(input)) return circle(way);
        if (seen.has(input)) continue;
        seen.set(input, way);
        next.push(input);
      }
    }
    level = next;
  }
  return undefined;
}
