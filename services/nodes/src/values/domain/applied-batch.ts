import type { Edges } from '../../shown/index.ts';
import type { Acquisition } from './acquisition-window.ts';
import type { Edit } from './edit-text.ts';
import type { WrittenEdges } from './series-value.ts';

/** Effect of one message of the log on one series, as the writer reports it. */
export type SeriesApplied = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly modifiedMs: number;
  readonly written: WrittenEdges;
  /** Values may have been removed: the current record does not follow from the written ones. */
  readonly recompute: boolean;
  /** The store has these edges afterwards, where they were published. */
  readonly edges?: Edges;
};

type SeriesDeleted = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly timeMs: number;
  readonly username: string;
};

/** All records are gone: deleted, or being recomputed. */
type AllDeleted = SeriesDeleted & { readonly recomputing?: boolean };

/** Nothing of this column was written, because of records that existed (docs/reference/writing.md#write-modes). */
type ColumnFailed = SeriesDeleted & { readonly message: string };

/** Records of a series that a person or program has edited. */
type SeriesEdited = SeriesDeleted & Edit;

export type AppliedBatch = {
  readonly logSequence: number;
  /** This writer reports it: each reports its part of the log in order. */
  readonly shardNumber: number;
  readonly series: readonly SeriesApplied[];
  readonly deleted: readonly AllDeleted[];
  readonly acquisitions: readonly Acquisition[];
  /** Daily limits left out these rows, by source. */
  readonly overloads: readonly Acquisition[];
  readonly failed: readonly ColumnFailed[];
  readonly edited: readonly SeriesEdited[];
};

/** Returns the effect of several messages of the log, as if they were one. */
export const joinBatches = (batches: readonly AppliedBatch[]): Omit<AppliedBatch, 'logSequence' | 'shardNumber'> => ({
  series: batches.flatMap(({ series }) => series),
  deleted: batches.flatMap(({ deleted }) => deleted),
  acquisitions: batches.flatMap(({ acquisitions }) => acquisitions),
  overloads: batches.flatMap(({ overloads }) => overloads),
  failed: batches.flatMap(({ failed }) => failed),
  edited: batches.flatMap(({ edited }) => edited),
});

/** Returns the nodes that batches say anything of. */
export function nodesOf(batches: readonly AppliedBatch[]): string[] {
  const { series, deleted, acquisitions, overloads, failed, edited } = joinBatches(batches);
  const all = [...series, ...deleted, ...acquisitions, ...overloads, ...failed, ...edited];
  return [...new Set(all.map(({ nodeId }) => nodeId))];
}

/** Returns the part of batches that is about some nodes. */
export function batchesOf(batches: readonly AppliedBatch[], nodeIds: readonly string[]): AppliedBatch[] {
  const some = new Set(nodeIds);
  const isOfThese = ({ nodeId }: { readonly nodeId: string }) => some.has(nodeId);
  return batches.map((batch) => ({
    ...batch,
    series: batch.series.filter(isOfThese),
    deleted: batch.deleted.filter(isOfThese),
    acquisitions: batch.acquisitions.filter(isOfThese),
    overloads: batch.overloads.filter(isOfThese),
    failed: batch.failed.filter(isOfThese),
    edited: batch.edited.filter(isOfThese),
  }));
}

/** Updates one node's values. */
export type ValuesChange = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly updatedMs: number;
  /** The written records start from the known values, none, or the published edges; `ask`: the store has the result. */
  readonly base: 'known' | 'none' | 'ask' | Edges;
  /** Edges in log order. */
  readonly written: readonly WrittenEdges[];
};

/**
 * Returns one change per node, however often the messages name it. A series that was both written and deleted in one message is
 * recomputed, because the message does not say which came first.
 */
export function valuesChanges(batches: readonly Pick<AppliedBatch, 'series' | 'deleted'>[]): ValuesChange[] {
  const changes = new Map<string, ValuesChange>();
  for (const { series, deleted } of batches) {
    const written = new Set(series.map(({ nodeId }) => nodeId));
    for (const { nodeId, ownerId, timeMs } of deleted) {
      const before = changes.get(nodeId);
      const base = written.has(nodeId) || before?.base === 'ask' ? 'ask' : 'none';
      changes.set(nodeId, { nodeId, ownerId, updatedMs: Math.max(before?.updatedMs ?? 0, timeMs), base, written: [] });
    }
    for (const { nodeId, ownerId, modifiedMs, written, recompute, edges } of series) {
      const before = changes.get(nodeId);
      const updatedMs = Math.max(before?.updatedMs ?? 0, modifiedMs);
      if (recompute) changes.set(nodeId, { nodeId, ownerId, updatedMs, base: edges ?? 'ask', written: [] });
      else {
        const all = [...(before?.written ?? []), written];
        changes.set(nodeId, { nodeId, ownerId, updatedMs, base: before?.base ?? 'known', written: all });
      }
    }
  }
  return [...changes.values()];
}

/** Pushes add this to the counters of a source (docs/reference/writing.md#data-source-writes, rule 7). */
export type CountersChange = {
  readonly nodeId: string;
  readonly count: number;
  readonly lastMs: number;
  readonly lastRows: number;
};

export function countersChanges(acquisitions: readonly Acquisition[]): CountersChange[] {
  const changes = new Map<string, CountersChange>();
  for (const { nodeId, isSource, timeMs, rows, inSession, deliveries = 1 } of acquisitions) {
    if (!isSource || inSession) continue;
    const before = changes.get(nodeId);
    const lastMs = Math.max(before?.lastMs ?? 0, timeMs);
    changes.set(nodeId, { nodeId, count: (before?.count ?? 0) + deliveries, lastMs, lastRows: rows });
  }
  return [...changes.values()];
}
