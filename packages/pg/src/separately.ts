import { type DomainError, isContentFault, toDomainError } from '@catchment/errors';
import type { Queryable } from './queryable.ts';

export type AtFault<T> = { readonly item: T; readonly error: DomainError };

/**
 * Does work for items of a transaction: for all at once, and where it fails for what they hold, for either half of them, and so on.
 * Everything but the items at fault is done.
 * @returns the items at fault, of which nothing is done
 */
export async function separately<T>(
  tx: Queryable,
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
): Promise<AtFault<T>[]> {
  await tx.query('SAVEPOINT separately');
  try {
    await work(items);
    await tx.query('RELEASE SAVEPOINT separately');
    return [];
  } catch (error) {
    if (!isContentFault(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT separately');
    await tx.query('RELEASE SAVEPOINT separately');
    if (items.length <= 1) return items.map((item) => ({ item, error: toDomainError(error) }));
  }
  const middle = Math.ceil(items.length / 2);
  const first = await separately(tx, items.slice(0, middle), work);
  return [...first, ...(await separately(tx, items.slice(middle), work))];
}
