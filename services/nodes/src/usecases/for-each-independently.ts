/**
 * Does the work for each, one after the other; a failure of one keeps no other waiting.
 * @param failed what could not be done, for the error
 * @throws AggregateError of all failures, at the end
 */
export async function forEachIndependently<T>(
  items: Iterable<T>,
  failed: string,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failed);
}
