import type { SeriesKey } from '../../series/index.ts';
import { sumOf } from '../domain/expected-records.ts';
import type { StoredRecord } from '../domain/record-set.ts';
import type { RecordReader } from './ports.ts';
import { recordsAt } from './records-at.ts';

/** Returns whole records that a series has at these ascending times, by time: as they are stored, not as they are shown. */
export async function storedAt(
  reader: Pick<RecordReader, 'scan'>,
  series: SeriesKey,
  timestamps: Float64Array,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, StoredRecord>> {
  const found = new Map<number, StoredRecord>();
  const visit = (_index: number, record: StoredRecord) => found.set(record.timeMs, { ...record });
  await recordsAt(reader, series, timestamps, signal, { visit, isEnough: () => false });
  return found;
}

/** Sums what the series of a store hold at ascending times, for writes that say what was there. */
export const sumAtOf =
  (reader: Pick<RecordReader, 'scan'>) =>
  async (series: SeriesKey, timestamps: Float64Array, signal: AbortSignal): Promise<Uint8Array> =>
    sumOf(timestamps, await storedAt(reader, series, timestamps, signal));
