export type InParallel = {
  /** This many items are worked on at the same time. */
  readonly atOnce: number;
  /** Its abort lets no further item begin, and is passed on to those under way. */
  readonly signal?: AbortSignal;
};

/**
 * Works on every item, a limited number of them at a time.
 * @param work gets a signal that is aborted when the work on another item has failed, or when the caller's signal is
 * @returns the results in the order of the items
 * @throws the first error, once nothing is under way any more
 */
export async function inParallel<T, R>(
  items: readonly T[],
  { atOnce, signal }: InParallel,
  work: (item: T, stopping: AbortSignal, index: number) => Promise<R>,
): Promise<R[]> {
  const stop = new AbortController();
  const stopping = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const results = new Array<R>(items.length);
  let failure: { readonly error: unknown } | undefined;
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) {
      if (failure) return;
      try {
        stopping.throwIfAborted();
        results[index] = await work(item, stopping, index);
      } catch (error) {
        failure ??= { error };
        stop.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failure) throw failure.error;
  return results;
}
