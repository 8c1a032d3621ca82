import { isDeepStrictEqual } from 'node:util';
import type { StoreDeps } from '../../changes/index.ts';
import { type Edges, lockEdges, NO_EDGES, placedInputs } from '../../shown/index.ts';
import { isAway, type ReadEdges } from './apply-batch.ts';
import type { AwaitedStore, AwaitedValues } from './ports.ts';
import { showEdges } from './show-edges.ts';

type Deps = Pick<StoreDeps, 'database'> & { readonly readEdges: ReadEdges };

const BATCH = 50;
/** Twice this is less than the time until a node that was taken is another one's again. */
const ASK_LIMIT_MS = 4_000;

/**
 * Asks again for values that only the store of records knows, of nodes for which it gave no answer when their messages came. Any replica may do
 * it, at any time.
 * @returns whether there may be more to ask for now
 */
export async function showAwaited(
  store: AwaitedStore,
  { database, readEdges }: Deps,
  stopping: AbortSignal,
): Promise<boolean> {
  const awaited = await store.takeAwaited(database, BATCH);
  if (awaited.length === 0) return false;
  const before = await lockEdges(database, idsOf(awaited));
  const { found, failure } = await answersOf(readEdges, awaited, stopping);
  const answered = awaited.filter(({ nodeId }) => found.has(nodeId));
  await database.transaction(async (tx) => {
    const known = await lockEdges(tx, idsOf(answered));
    // An answer may be from before what was applied meanwhile.
    const valid = answered.filter(({ nodeId }) => isDeepStrictEqual(before.get(nodeId), known.get(nodeId)));
    const ended = await store.endAwaited(tx, valid);
    const placed = await placedInputs(tx, [...ended]);
    const changed = valid.flatMap(({ nodeId, updatedMs }) =>
      known.has(nodeId) && ended.has(nodeId) ? [{ nodeId, updatedMs, edges: found.get(nodeId) ?? NO_EDGES }] : [],
    );
    await showEdges(store.saveValues, tx, changed, placed);
    await store.touchOwners(tx, [...new Set([...placed.values()].map(({ ownerId }) => ownerId))], 'awaited');
  });
  if (failure !== undefined) throw failure;
  return awaited.length === BATCH && !stopping.aborted;
}

const idsOf = (nodes: readonly AwaitedValues[]): string[] => nodes.map(({ nodeId }) => nodeId);

/** Those that answer; nodes without records have no edges. */
async function answersOf(readEdges: ReadEdges, awaited: readonly AwaitedValues[], stopping: AbortSignal) {
  const found = new Map<string, Edges>();
  let failure: unknown;
  /** @returns whether there is an answer */
  const ask = async (ownerId: string, nodes: readonly AwaitedValues[]): Promise<boolean> => {
    const inTime = AbortSignal.any([stopping, AbortSignal.timeout(ASK_LIMIT_MS)]);
    try {
      const edges = await readEdges(ownerId, idsOf(nodes), inTime);
      for (const { nodeId } of nodes) found.set(nodeId, edges.get(nodeId) ?? NO_EDGES);
      return true;
    } catch (error) {
      if (!inTime.aborted && !isAway(error)) failure = error;
      return false;
    }
  };
  const owners = [...Map.groupBy(awaited, ({ ownerId }) => ownerId)];
  await Promise.all(
    owners.map(async ([ownerId, nodes]) => {
      if ((await ask(ownerId, nodes)) || nodes.length === 1) return;
      // Nodes of one account may be at several stores.
      await Promise.all(nodes.map((node) => ask(ownerId, [node])));
    }),
  );
  return { found, failure };
}
