import { invalid } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { readOwner } from '../../changes/index.ts';
import { usageDocument } from '../domain/usage.ts';
import { readUse } from '../store/usage-query.ts';

/**
 * Returns whether an account may have the sources that the running transaction has just made: its own limit and that of the
 * account that manages it hold (docs/reference/accounts-and-usage.md#usage). Existing sources keep working.
 * @throws DomainError invalid_argument
 */
export async function checkSourceLimit(
  tx: Queryable,
  ownerId: string,
  made: readonly { readonly class: string }[],
): Promise<void> {
  if (made.some((node) => node.class.startsWith('source.'))) await checkUsage(tx, ownerId, 0);
}

/** The same for new sources. @param more their usage */
export async function checkUsage(tx: Queryable, ownerId: string, more: number): Promise<void> {
  const owner = await readOwner(tx, ownerId);
  const limiting = owner.parent_owner_id === null ? [owner] : [owner, await readOwner(tx, owner.parent_owner_id)];
  for (const { owner_id, source_limit } of limiting) {
    if (source_limit === null) continue;
    const { accounts, limits } = await readUse(tx, owner_id, null);
    if (usageDocument(accounts, limits).total.source.usage + more > source_limit)
      throw invalid('SOURCE_LIMIT', `_class: no more sources, the account's usage may be at most ${source_limit}`);
  }
}
