import { type Caller, serviceCaller } from '@catchment/access';
import type { GetProgressRequest, GetProgressResponse } from '@catchment/contracts/historic';

export type ProgressDeps = {
  /** Returns whether all that the log has of a series up to a sequence can be read. */
  readonly isStored: (
    series: { readonly nodeId: string; readonly sourceId: string },
    sequence: number,
  ) => Promise<boolean>;
  /** Messages of the log that are on their way to where these series are, over all partitions. */
  readonly backlog: (nodeIds: readonly string[]) => Promise<number>;
};

/** Tells how far the log is stored where a series is, for services that write more, or notify others, once it is. */
export async function getProgress(
  { isStored, backlog }: ProgressDeps,
  { sequence, ...series }: GetProgressRequest,
  { caller }: { readonly caller: Caller },
): Promise<GetProgressResponse> {
  serviceCaller(caller);
  const [stored, pending] = await Promise.all([sequence === 0 || isStored(series, sequence), backlog([series.nodeId])]);
  return { isStored: stored, pending };
}
