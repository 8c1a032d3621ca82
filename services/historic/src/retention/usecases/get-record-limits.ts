import type { GetRecordLimitsResponse } from '@catchment/contracts/historic';
import type { ExpiringAccounts } from './expire-records.ts';

export type RecordLimitDeps = {
  readonly kept: Pick<ExpiringAccounts, 'of'>;
  /** Returns the rows of a data source in a day; 0 means no limit. */
  readonly rowLimitOf: (ownerId: string) => Promise<number>;
};

/** Tells how long records of an account are kept, and how many rows a source may bring in a day. */
export async function getRecordLimits(
  { kept, rowLimitOf }: RecordLimitDeps,
  ownerId: string,
): Promise<GetRecordLimitsResponse> {
  const [retention, rowsPerSourcePerDay] = await Promise.all([kept.of(ownerId), rowLimitOf(ownerId)]);
  const { days: recordDays = 0, removedFromMs } = retention ?? {};
  return { recordDays, removedFromMs, rowsPerSourcePerDay };
}
