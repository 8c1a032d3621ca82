const BATCH = 500;

/** Nodes that one statement writes, and one message names, at a time. */
export function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}
