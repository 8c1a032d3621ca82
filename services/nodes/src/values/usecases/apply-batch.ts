import { isContentFault, toDomainError } from '@catchment/errors';
import { type AtFault, appendOutbox, type Queryable, separately } from '@catchment/pg';
import { eventRecorded, type NodeEvent, type StoreDeps } from '../../changes/index.ts';
import { type Edges, lockEdges, NO_EDGES, type PlacedInputs, placedInputs } from '../../shown/index.ts';
import {
  type Acquisition,
  type AcquisitionEvent,
  type AcquisitionWindow,
  openOrJoin,
} from '../domain/acquisition-window.ts';
import {
  type AppliedBatch,
  batchesOf,
  countersChanges,
  joinBatches,
  nodesOf,
  type ValuesChange,
  valuesChanges,
} from '../domain/applied-batch.ts';
import { editText } from '../domain/edit-text.ts';
import { mergeEdges } from '../domain/series-value.ts';
import { lockWindows } from '../store/windows-query.ts';
import type { BatchStore } from './ports.ts';
import { type ChangedEdges, showEdges } from './show-edges.ts';

/** Reads current, previous and oldest record straight from the store of records; nodes that it does not know are left out. */
export type ReadEdges = (
  ownerId: string,
  nodeIds: readonly string[],
  signal: AbortSignal,
  /** Unix ms: only records up to this time count. */
  untilMs?: number,
) => Promise<Map<string, Edges>>;

export type ApplyDeps = Pick<StoreDeps, 'database'> & {
  readonly readEdges: ReadEdges;
  /** The setting ACQUISITION_EVENT_SECONDS; 0 means an event for each acquisition. */
  readonly acquisitionEventMs: number;
};

/** A question without an answer by then is asked later: the messages behind are about other stores too. */
const ASK_LIMIT_MS = 4_000;

/** Keeps what a message says of nodes at which it fails, where people find it. */
export type PutAside = (refused: readonly AtFault<string>[]) => Promise<void>;

/**
 * Applies what messages of the ingest log have done to the store: current, previous and oldest values, counters, events. All in one
 * transaction with the partition's progress, so a message that comes twice changes nothing, whichever others it comes with. Values that
 * only the store knows wait for it (`showAwaited`) where it does not answer; the rest does not.
 * @param deps.putAside for a message that comes alone: what it says of some nodes may fail for what it holds, the rest is applied all the
 * same
 */
export async function applyBatches(
  store: BatchStore,
  deps: ApplyDeps & { readonly putAside?: PutAside },
  partition: number,
  batches: readonly AppliedBatch[],
  signal: AbortSignal,
): Promise<void> {
  const { putAside } = deps;
  const asked = await askStore(deps, valuesChanges(batches), signal);
  const applied = (isApart: boolean) =>
    deps.database.transaction(async (tx) => {
      const before = await store.advance(tx, partition, batches.at(-1)?.logSequence ?? 0);
      if (before === undefined) return;
      const newer = batches.filter(({ logSequence }) => logSequence > before);
      const apply = (some: readonly AppliedBatch[]) => applyNewer(store, tx, deps, { batches: some, asked, partition });
      if (!isApart) await apply(newer);
      else {
        const refused = await separately(tx, nodesOf(newer), (nodeIds) => apply(batchesOf(newer, nodeIds)));
        if (refused.length > 0) await putAside?.(refused);
      }
      // The message may be another replica's by now: it is better left alone than handled twice at once.
      signal.throwIfAborted();
    });
  try {
    await applied(false);
  } catch (error) {
    if (!putAside || !isContentFault(error)) throw error;
    await applied(true);
  }
}

type Newer = {
  readonly batches: readonly AppliedBatch[];
  readonly asked: Awaited<ReturnType<typeof askStore>>;
  readonly partition: number;
};

async function applyNewer(
  store: BatchStore,
  tx: Queryable,
  deps: ApplyDeps,
  { batches, asked, partition }: Newer,
): Promise<void> {
  const batch = joinBatches(batches);
  const changes = valuesChanges(batches);
  for (const { nodeId, base } of changes)
    if (base === 'ask' && asked.failed.has(nodeId)) throw asked.failed.get(nodeId);
  const counters = countersChanges(batch.acquisitions);
  const reported = [...batch.acquisitions, ...batch.overloads];
  const nodeIds = [...new Set(idsOf([...changes, ...counters, ...reported]))];
  // Every node that something is stored for below is locked: see deleteNodes.
  const known = await lockEdges(tx, nodeIds);
  const acquisitions = reported.filter(({ nodeId }) => known.has(nodeId));
  const { failed, deleted, edited } = batch;
  const placed = await placedInputs(tx, [...new Set([...nodeIds, ...idsOf([...failed, ...deleted, ...edited])])]);
  const isAwaited = ({ nodeId, base }: ValuesChange) => base === 'ask' && asked.unanswered.has(nodeId);
  const changed = changes.flatMap((change): ChangedEdges[] => {
    const before = known.get(change.nodeId);
    if (!before || isAwaited(change)) return [];
    return [{ ...change, edges: edgesAfter(before, change, asked.edges) }];
  });
  await showEdges(store.saveValues, tx, changed, placed);
  await store.awaitValues(
    tx,
    changes.filter((change) => known.has(change.nodeId) && isAwaited(change)),
  );
  await store.saveCounters(tx, counters);
  const events = [
    ...(await windowEvents(store, tx, acquisitions, deps.acquisitionEventMs)).map(acquisitionEvent),
    ...failed.map(failedEvent),
    ...edited.map(editedEvent),
    ...deleted.filter(({ recomputing }) => !recomputing).map(deletedEvent),
  ];
  await recordEvents(tx, events, placed);
  await store.touchOwners(
    tx,
    [...new Set([...placed.values()].map(({ ownerId }) => ownerId))],
    `partition-${partition}`,
  );
}

const idsOf = (all: readonly { readonly nodeId: string }[]): string[] => all.map(({ nodeId }) => nodeId);

async function askStore(deps: ApplyDeps, changes: readonly ValuesChange[], signal: AbortSignal) {
  const byOwner = Map.groupBy(
    changes.filter(({ base }) => base === 'ask'),
    ({ ownerId }) => ownerId,
  );
  const edges = new Map<string, Edges>();
  const unanswered = new Set<string>();
  const failed = new Map<string, unknown>();
  if (byOwner.size === 0) return { edges, unanswered, failed };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
  for (const [ownerId, nodes] of byOwner) {
    const ids = idsOf(nodes);
    try {
      inTime.throwIfAborted();
      for (const [nodeId, found] of await deps.readEdges(ownerId, ids, inTime)) edges.set(nodeId, found);
    } catch (error) {
      if (signal.aborted) throw error;
      // The messages are about other accounts too.
      if (!inTime.aborted && isContentFault(error)) for (const nodeId of ids) failed.set(nodeId, error);
      else for (const nodeId of ids) unanswered.add(nodeId);
    }
  }
  return { edges, unanswered, failed };
}

/** True where the peer may answer another time. */
export function isAway(error: unknown): boolean {
  const { kind } = toDomainError(error);
  return kind === 'unavailable' || kind === 'deadline_exceeded';
}

function edgesAfter(before: Edges, change: ValuesChange, recomputed: ReadonlyMap<string, Edges>): Edges {
  const { nodeId, base, written } = change;
  if (base === 'ask') return recomputed.get(nodeId) ?? NO_EDGES;
  return written.reduce(mergeEdges, base === 'known' ? before : base === 'none' ? NO_EDGES : base);
}

const keyOf = ({ nodeId, username, origin }: { nodeId: string; username: string; origin: string }): string =>
  JSON.stringify([nodeId, username, origin]);

/** Events that are due at once; the others go into the windows. */
async function windowEvents(
  { saveWindows }: BatchStore,
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

type PlacedEvent = Omit<NodeEvent, 'workspaceId' | 'nodeClass'>;

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

const editedEvent = ({ nodeId, timeMs, username, ...edit }: AppliedBatch['edited'][number]): PlacedEvent => ({
  nodeId,
  timeMs,
  username,
  level: 'INFO',
  eventType: 'CONFIGURATION',
  message: editText(edit),
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
  places: ReadonlyMap<string, Pick<PlacedInputs, 'ownerId' | 'workspaceId' | 'class'>>,
): Promise<void> {
  await appendOutbox(
    tx,
    events.flatMap((event) => {
      const place = places.get(event.nodeId);
      if (!place) return [];
      return [eventRecorded(place.ownerId, { ...event, workspaceId: place.workspaceId, nodeClass: place.class })];
    }),
  );
}
