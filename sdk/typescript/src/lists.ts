/** Items of one page. */
const PAGE = 5_000;

/** Yields the items of a list, page by page, as they are asked for. */
export async function* pagesOf<T>(
  page: (window: { skip: number; limit: number }) => Promise<readonly T[]>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<T, void, undefined> {
  for (let skip = 0; skip < limit; ) {
    const size = Math.min(PAGE, limit - skip);
    const found = await page({ skip, limit: size });
    yield* found;
    skip += found.length;
    if (found.length < size) return;
  }
}
