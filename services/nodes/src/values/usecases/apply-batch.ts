import { appendOutbox, type Queryable } from '@catchment/pg';
import { eventRecorded, type NodeEvent, type StoreDeps, touchOwners } from '../../changes/index.ts';
import {
  type Acquisition,
  type AcquisitionEvent,
  type AcquisitionWindow,
  openOrJoin,
} from '../domain/acquisition-window.ts';
import {
  type AppliedBatch,
  countersChanges,
  joinBatches,
  type ValuesChange,
  valuesChanges,
} from '../domain/applied-batch.ts';
import { type Edges, hasAnotherValue, mergeEdges, NO_EDGES } from '../domain/series-value.ts';
import { lockWindows, saveWindows } from '../store/pg-acquisition-windows.ts';
import { forgetStates } from '../store/pg-alarms.ts';
import { advance, eventPlaces, lockValues, type SavedEdges, saveCounters, saveValues } from '../store/pg-values.ts';

/** Current, previous and oldest record straight from the store of records; nodes that it does not know are left out. */
export type ReadEdges = (
  ownerId: string,
  nodeIds: readonly string[],
  signal: AbortSignal,
) => Promise<Map<string, Edges>>;

export type ApplyDeps = Pick<StoreDeps, 'database'> & {
  readonly readEdges: ReadEdges;
  /** Setting ACQUISITION_EVENT_SECONDS; 0 = an event for each acquisition. */
  readonly acquisitionEventMs: number;
};

/**
 * Applies what messages of the ingest log have done to the store: current, previous and oldest values, counters, events.
 * All in one transaction with the partition's progress, so a message that comes twice changes nothing, whichever others it
 * comes with.
 */
export async function applyBatches(
  deps: ApplyDeps,
  partition: number,
  batches: readonly AppliedBatch[],
  signal: AbortSignal,
): Promise<void> {
  const recomputed = await recompute(deps, valuesChanges(batches), signal);
  await deps.database.transaction(async (tx) => {
    const before = await advance(tx, partition, batches.at(-1)?.logSequence ?? 0);
    if (before === undefined) return;
    const newer = batches.filter(({ logSequence }) => logSequence > before);
    const batch = joinBatches(newer);
    const changes = valuesChanges(newer);
    const counters = countersChanges(batch.acquisitions);
    const nodeIds = [...changes, ...counters].map(({ nodeId }) => nodeId);
    // Of every node that something is stored for below: see deleteNodes.
    const overloaded = batch.overloads.map(({ nodeId }) => nodeId);
    const known = await lockValues(tx, [...new Set([...nodeIds, ...overloaded])]);
    const saved = changes.flatMap((change) => {
      const shown = known.get(change.nodeId);
      if (!shown) return [];
      const edges = edgesAfter(shown, change, recomputed);
      return [{ nodeId: change.nodeId, updatedMs: change.updatedMs, edges }];
    });
    await saveValues(tx, saved);
    const isReplaced = ({ nodeId, edges }: SavedEdges) => hasAnotherValue(known.get(nodeId)?.current, edges.current);
    await forgetStates(
      tx,
      saved.filter(isReplaced).map(({ nodeId }) => nodeId),
    );
    await saveCounters(tx, counters);
    const acquired = await windowEvents(tx, [...batch.acquisitions, ...batch.overloads], deps.acquisitionEventMs);
    const events = [
      ...acquired.map(acquisitionEvent),
      ...batch.failed.map(failedEvent),
      ...batch.deleted.filter(({ recomputing }) => !recomputing).map(deletedEvent),
    ];
    const places = await eventPlaces(tx, [...new Set([...nodeIds, ...events.map(({ nodeId }) => nodeId)])]);
    await recordEvents(tx, events, places);
    await touchOwners(tx, [...new Set([...places.values()].map(({ ownerId }) => ownerId))], `partition-${partition}`);
    // The message may be another replica's by now: rather nothing than twice at once.
    signal.throwIfAborted();
  });
}

async function recompute(deps: ApplyDeps, changes: readonly ValuesChange[], signal: AbortSignal) {
  const byOwner = Map.groupBy(
    changes.filter(({ base }) => base === 'ask'),
    ({ ownerId }) => ownerId,
  );
  const edges = new Map<string, Edges>();
  for (const [ownerId, nodes] of byOwner) {
    const ids = nodes.map(({ nodeId }) => nodeId);
    for (const [nodeId, found] of await deps.readEdges(ownerId, ids, signal)) edges.set(nodeId, found);
  }
  return edges;
}

function edgesAfter(before: Edges, change: ValuesChange, recomputed: ReadonlyMap<string, Edges>): Edges {
  const { nodeId, base, written } = change;
  if (base === 'ask') return recomputed.get(nodeId) ?? NO_EDGES;
  return written.reduce(mergeEdges, base === 'known' ? before : base === 'none' ? NO_EDGES : base);
}

const keyOf = ({ nodeId, username, origin }: { nodeId: string; username: string; origin: string }): string =>
  JSON.stringify([nodeId, username, origin]);

/** Events that are due at once; what is not goes into the windows. */
async function windowEvents(
  tx: Queryable,
  acquisitions: readonly Acquisition[],
  windowMs: number,
): Promise<AcquisitionEvent[]> {
  if (acquisitions.length === 0) return [];
  const stored = await lockWindows(tx, [...new Set(acquisitions.map(({ nodeId }) => nodeId))]);
  const open = new Map<string, AcquisitionWindow>(stored.map((window) => [keyOf(window), window]));
  const events: AcquisitionEvent[] = [];
  for (const acquisition of acquisitions) {
    const next = openOrJoin(open.get(keyOf(acquisition)), acquisition, windowMs);
    events.push(...next.events);
    if (next.window) open.set(keyOf(acquisition), next.window);
    else open.delete(keyOf(acquisition));
  }
  await saveWindows(tx, [...open.values()]);
  return events;
}

export type PlacedEvent = Omit<NodeEvent, 'workspaceId' | 'nodeClass'>;

export const acquisitionEvent = (event: AcquisitionEvent): PlacedEvent => ({
  ...event,
  eventType: 'ACQUISITION',
});

const failedEvent = ({ nodeId, timeMs, username, message }: AppliedBatch['failed'][number]): PlacedEvent => ({
  nodeId,
  timeMs,
  username,
  level: 'ERROR',
  eventType: 'ACQUISITION',
  message,
});

const deletedEvent = ({ nodeId, timeMs, username }: AppliedBatch['deleted'][number]): PlacedEvent => ({
  nodeId,
  timeMs,
  username,
  level: 'INFO',
  eventType: 'CONFIGURATION',
  message: 'Deleted historic data',
});

/** Appends the events of nodes that still exist. */
export async function recordEvents(
  tx: Queryable,
  events: readonly PlacedEvent[],
  places: Awaited<ReturnType<typeof eventPlaces>>,
): Promise<void> {
  await appendOutbox(
    tx,
    events.flatMap((event) => {
      const place = places.get(event.nodeId);
      return place ? [eventRecorded(place.ownerId, { ...event, ...place })] : [];
    }),
  );
}
