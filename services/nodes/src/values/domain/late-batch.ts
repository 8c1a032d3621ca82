import type { AppliedBatch, SeriesApplied } from './applied-batch.ts';

/**
 * A message that is applied after later ones of its partition, because it was a dead letter
 * (docs/reference/guarantees.md#dead-letters): what it says of values may be out of date, so the store is asked for them.
 * @param sequence of the message in its stream, which places it among its like
 */
export function lateBatch(batch: AppliedBatch, sequence: number): AppliedBatch {
  const asked = ({ nodeId, ownerId, modifiedMs }: Pick<SeriesApplied, 'nodeId' | 'ownerId' | 'modifiedMs'>) => ({
    nodeId,
    ownerId,
    modifiedMs,
    written: { newest: [], oldest: null },
    recompute: true,
  });
  const deleted = batch.deleted.map(({ timeMs, ...series }) => asked({ ...series, modifiedMs: timeMs }));
  return { ...batch, logSequence: sequence, series: [...batch.series.map(asked), ...deleted] };
}

/** Numbers the progress of late messages of a partition, whose progress has passed their places in the log. */
export const latePartition = (partition: number): number => -1 - partition;
