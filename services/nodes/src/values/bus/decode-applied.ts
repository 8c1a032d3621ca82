import { type BusMessage, decoded } from '@catchment/bus';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { overload } from '../domain/acquisition-window.ts';
import type { AppliedBatch } from '../domain/applied-batch.ts';
import { toEdges, toRecords } from '../usecases/series-records.ts';

export type Content = Pick<BusMessage, 'subject' | 'data'>;

/** Reads a message of stream APPLIED. */
export const decodeApplied = (message: Content): AppliedBatch[] =>
  decoded(AppliedGroup, message).batches.map(toApplied);

/** Messages of stream APPLIED that say what this one says of some nodes: one for each account. */
export function partsOfAccounts(message: Content, nodeIds: ReadonlySet<string>): Map<string, Uint8Array> {
  const batches = decoded(AppliedGroup, message).batches.map((batch) => ({
    ...narrowed(batch, ({ nodeId, sourceId }) => nodeIds.has(nodeId) || nodeIds.has(sourceId ?? '')),
    columnsSettled: [],
  }));
  const owners = new Set(
    batches.flatMap((batch) => NARROWED.flatMap((list) => batch[list].map(({ ownerId }) => ownerId))),
  );
  const partOf = (owner: string) =>
    AppliedGroup.encode({
      batches: batches.map((batch) => narrowed(batch, ({ ownerId }) => ownerId === owner)),
    }).finish();
  return new Map([...owners].map((owner) => [owner, partOf(owner)]));
}

/** These lists of a batch are about nodes. */
const NARROWED = ['series', 'acquisitions', 'seriesDeletes', 'columnFailures', 'seriesEdited'] as const;
type OfNode = { readonly nodeId: string; readonly ownerId: string; readonly sourceId?: string };

const narrowed = (batch: BatchApplied, isKept: (change: OfNode) => boolean): BatchApplied => ({
  ...batch,
  series: batch.series.filter(isKept),
  acquisitions: batch.acquisitions.filter(isKept),
  seriesDeletes: batch.seriesDeletes.filter(isKept),
  columnFailures: batch.columnFailures.filter(isKept),
  seriesEdited: batch.seriesEdited.filter(isKept),
});

const NO_RECORDS = { records: 0, values: 0, qualities: 0, annotations: 0 };

function toApplied(batch: BatchApplied): AppliedBatch {
  return {
    logSequence: batch.logSequence,
    shardNumber: batch.shardNumber,
    series: batch.series.map(({ nodeId, ownerId, modifiedMs, newest, oldest, recompute, edges }) => ({
      nodeId,
      ownerId,
      modifiedMs,
      recompute,
      ...(edges && { edges: toEdges(edges) }),
      written: { newest: newest.flatMap(toRecords), oldest: (oldest ? toRecords(oldest) : [])[0] ?? null },
    })),
    deleted: batch.seriesDeletes.map(({ nodeId, ownerId, timeMs, username, recomputing }) => ({
      nodeId,
      ownerId,
      timeMs,
      username,
      recomputing,
    })),
    failed: batch.columnFailures.map(({ nodeId, ownerId, timeMs, username, message }) => ({
      nodeId,
      ownerId,
      timeMs,
      username,
      message,
    })),
    edited: batch.seriesEdited.map(({ nodeId, ownerId, timeMs, username, inserted, modified, deleted }) => ({
      nodeId,
      ownerId,
      timeMs,
      username,
      inserted: inserted ?? NO_RECORDS,
      modified: modified ?? NO_RECORDS,
      deleted,
    })),
    overloads: batch.acquisitions.flatMap((acquisition) =>
      acquisition.dropped > 0
        ? [overload(acquisition.sourceId || acquisition.nodeId, acquisition.dropped, acquisition)]
        : [],
    ),
    // A reported fault is no acquisition: the records of the file have their own entries, the last of which stands for
    // all.
    acquisitions: batch.acquisitions
      .filter(({ fault, deliveries }) => fault === '' && deliveries !== 0)
      .map(({ nodeId, isSource, rows, parameters, timeMs, username, origin, inSession, deliveries }) => ({
        nodeId,
        isSource,
        rows,
        parameters,
        timeMs,
        username,
        origin,
        inSession,
        deliveries,
      })),
  };
}
