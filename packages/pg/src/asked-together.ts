import { type GatherOptions, gathered } from '@catchment/fair-queue';
import { holdsConnection } from './connections.ts';

/** Questions that wait for their turn; more are refused. */
const WAITING = { items: 20_000, reason: 'DATABASE_BUSY' } as const;

/**
 * Asks the database one question for all that is asked for while it answers the one before: what thousands want at once is a few statements. Work that
 * holds a connection asks by itself, for others may wait for that connection.
 * @param ask answers in the order of the items
 * @returns the answer to one item; @throws DomainError unavailable (DATABASE_BUSY) when 20 000 wait, or what `ask` throws
 */
export function askedTogether<Item, Result>(
  ask: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: Pick<GatherOptions<Item, Result>, 'batch' | 'sizeOf'>,
): (item: Item) => Promise<Result> {
  const asked = gathered(ask, { afterTurn: true, waiting: WAITING, ...options });
  return async (item) => (holdsConnection() ? ((await ask([item]))[0] as Result) : asked(item));
}

/**
 * Asks one question for the items of all lists that come together.
 * @param ask answers what it finds of any of the items: each list gets the same answer
 * @param most items of a question; one list may have more
 */
export function listsAskedTogether<Item, Found>(
  ask: (items: readonly Item[]) => Promise<Found>,
  most: number,
): (items: readonly Item[]) => Promise<Found> {
  return askedTogether<readonly Item[], Found>(
    async (lists) => {
      const found = await ask(lists.flat());
      return lists.map(() => found);
    },
    { batch: { items: 1_000, records: most }, sizeOf: ({ length }) => ({ records: length, bytes: 0 }) },
  );
}
