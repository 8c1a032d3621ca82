/**
 * The results of `work` on every item, in their order, at most `atOnce` at a time. When one fails the others are aborted to
 * stop; its error is thrown once all of them have.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const results: R[] = [];
  let failure: { readonly error: unknown } | undefined;
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < items.length && !failure; n = next++) {
      try {
        either.throwIfAborted();
        results[n] = await work(items[n] as T, either);
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
