import type { BucketRun } from '../domain/bucket-runs.ts';
import type { Bucket } from '../domain/interval-folder.ts';
import type { StoreCall } from '../domain/store-plan.ts';

export type RecordSummaries = {
  /**
   * Visits buckets with any record of number series, live or not: series by series in any order, each ascending. The bucket that
   * is shown is overwritten by the next one.
   */
  summarize(
    nodeIds: readonly string[],
    calls: readonly StoreCall[],
    run: BucketRun,
    signal: AbortSignal,
    visit: (nodeId: string, bucket: Bucket) => void,
  ): Promise<void>;
};
