import { Pace } from '@catchment/fair-queue';
import type { Database, Queryable } from '@catchment/pg';
import type { OwnerRevisions } from '../../changes/index.ts';
import type { Edges } from '../domain/edges.ts';
import { type ShownOfNode, shownOf } from '../domain/shown.ts';
import { lockEdges, placedInputs, sessionsOf, staleNodes } from '../store/shown-query.ts';

/** Stores shown values, in the transaction that has locked their rows. */
export type SaveShown = (tx: Queryable, rows: readonly ShownOfNode[]) => Promise<void>;

/** One transaction takes this many rows, so that writers of values wait a moment only. */
const BATCH = 500;

/**
 * Computes the stale ones among the shown values of nodes, in the transaction that changed the nodes.
 * @param changed the records of nodes that show them otherwise now, locked
 * @returns the accounts of the nodes that were stale
 */
export async function refreshShown(
  save: SaveShown,
  tx: Queryable,
  nodeIds: readonly string[],
  changed: ReadonlyMap<string, Edges> = new Map(),
): Promise<Set<string>> {
  const stale = new Map(changed);
  if (nodeIds.length > 0) for (const [nodeId, edges] of await lockEdges(tx, nodeIds, 'stale')) stale.set(nodeId, edges);
  const inputs = await placedInputs(tx, [...stale.keys()]);
  const sessions = await sessionsOf(tx, [...stale.keys()]);
  const pace = new Pace();
  const computed: ShownOfNode[] = [];
  for (const [nodeId, input] of inputs) {
    const shown = shownOf({ ...input, session: sessions.get(nodeId) ?? null }, stale.get(nodeId)!);
    computed.push({ nodeId, shown });
    if (pace.isOver) await pace.next();
  }
  await save(tx, computed);
  return new Set([...inputs.values()].map(({ ownerId }) => ownerId));
}

/**
 * Computes all stale shown values: those that a migration has marked, and those that a change of configuration has left. Any replica may do
 * so at any time.
 * @throws the reason of `signal`, between two batches
 */
export async function refreshStale(
  { saveShown, touchOwners }: OwnerRevisions & { readonly saveShown: SaveShown },
  { database, signal }: { readonly database: Database; readonly signal?: AbortSignal },
): Promise<void> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const nodeIds = await staleNodes(database, after, BATCH);
    if (nodeIds.length === 0) return;
    await database.transaction(async (tx) =>
      touchOwners(tx, [...(await refreshShown(saveShown, tx, nodeIds))], 'shown'),
    );
    after = nodeIds.at(-1) ?? '';
  }
}
