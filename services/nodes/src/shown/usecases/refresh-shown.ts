import { Pace } from '@catchment/fair-queue';
import type { Database, Queryable } from '@catchment/pg';
import { touchOwners } from '../../changes/index.ts';
import { shownOf } from '../domain/shown.ts';
import { lockEdges, placedInputs, saveShown, sessionsOf, staleNodes } from '../store/pg-shown.ts';

/** Rows of one transaction, so that writers of values wait a moment only. */
const BATCH = 500;

/**
 * Computes the stale ones among the shown values of nodes, in the transaction that changed the nodes.
 * @returns the accounts of the nodes that were stale
 */
export async function refreshShown(tx: Queryable, nodeIds: readonly string[]): Promise<Set<string>> {
  const stale = nodeIds.length === 0 ? new Map() : await lockEdges(tx, nodeIds, 'stale');
  const inputs = await placedInputs(tx, [...stale.keys()]);
  const sessions = await sessionsOf(tx, [...stale.keys()]);
  const pace = new Pace();
  const computed: Parameters<typeof saveShown>[1][number][] = [];
  for (const [nodeId, input] of inputs) {
    const shown = shownOf({ ...input, session: sessions.get(nodeId) ?? null }, stale.get(nodeId)!);
    computed.push({ nodeId, shown });
    if (pace.isOver) await pace.next();
  }
  await saveShown(tx, computed);
  return new Set([...inputs.values()].map(({ ownerId }) => ownerId));
}

/**
 * Computes all stale shown values: those of rows from before they were stored, and those that pods of an older release leave behind.
 * Any replica may do so at any time.
 * @throws the reason of `signal`, between two batches
 */
export async function refreshStale({
  database,
  signal,
}: {
  readonly database: Database;
  readonly signal?: AbortSignal;
}): Promise<void> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const nodeIds = await staleNodes(database, after, BATCH);
    if (nodeIds.length === 0) return;
    await database.transaction(async (tx) => touchOwners(tx, [...(await refreshShown(tx, nodeIds))], 'shown'));
    after = nodeIds.at(-1) ?? '';
  }
}
