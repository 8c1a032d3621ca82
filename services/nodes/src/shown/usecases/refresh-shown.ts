import type { Database, Queryable } from '@catchment/pg';
import { touchOwners } from '../../changes/index.ts';
import { shownOf } from '../domain/shown.ts';
import { lockEdges, placedInputs, saveShown, staleNodes } from '../store/pg-shown.ts';

/** Rows of one transaction: others wait for them no longer than for a write. */
const BATCH = 500;

/**
 * Computes anew what is shown of those nodes of which it is behind, in the transaction that has changed them.
 * @returns the accounts of these nodes
 */
export async function refreshShown(tx: Queryable, nodeIds: readonly string[]): Promise<Set<string>> {
  const stale = nodeIds.length === 0 ? new Map() : await lockEdges(tx, nodeIds, 'stale');
  const inputs = await placedInputs(tx, [...stale.keys()]);
  await saveShown(
    tx,
    [...inputs].map(([nodeId, input]) => ({ nodeId, shown: shownOf(input, stale.get(nodeId)!) })),
  );
  return new Set([...inputs.values()].map(({ ownerId }) => ownerId));
}

/**
 * Computes what nobody has computed: rows of before this was stored, and what pods of that release change while they still
 * run. Any replica may do so, at any time.
 */
export async function refreshStale({ database }: { readonly database: Database }): Promise<void> {
  for (let after = ''; ; ) {
    const nodeIds = await staleNodes(database, after, BATCH);
    if (nodeIds.length === 0) return;
    await database.transaction(async (tx) => touchOwners(tx, [...(await refreshShown(tx, nodeIds))], 'shown'));
    after = nodeIds.at(-1) ?? '';
  }
}
