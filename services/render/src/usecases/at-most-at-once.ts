/** Series of a chart that are read at the same time: more would take the places of other accounts at historic. */
const AT_ONCE = 4;

/** Results in the order of the items; the first failure ends all. */
export async function atMostAtOnce<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const left = items.entries();
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, items.length) }, async () => {
      for (const [index, item] of left) results[index] = await work(item, index);
    }),
  );
  return results;
}
