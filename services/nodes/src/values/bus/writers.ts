import { INGEST_PARTITIONS } from '@catchment/config';
import type { AppliedBatch } from '../domain/applied-batch.ts';

/** Batches in their order, in runs of one writer: of two writers the one is ahead in the log, the other behind. */
export function runsOfWriters(batches: readonly AppliedBatch[]): AppliedBatch[][] {
  const runs: AppliedBatch[][] = [];
  for (const batch of batches) {
    const run = runs.at(-1);
    if (run?.[0]?.shardNumber === batch.shardNumber) run.push(batch);
    else runs.push([batch]);
  }
  return runs;
}

/** Numbers the progress of a writer in a partition; writer 0 has the number of the partition. */
export const writersPartition = (partition: number, shardNumber: number): number =>
  partition + shardNumber * INGEST_PARTITIONS.max;
