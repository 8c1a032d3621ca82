import type { SeriesKey } from '../../series/index.ts';
import type { StoredRecord } from '../domain/record-set.ts';
import type { RecordReader } from './ports.ts';

/** A new request starts at the next wanted time after this many unwanted records. */
const MAX_BESIDES = 1_000;
const SPARE_ROWS = 64;

/**
 * Visits the records that a series has at these ascending times.
 * @param isEnough called between requests to the store: true ends the visit early
 * @returns how many of the times are settled; there is no record at those that were not visited
 */
export async function recordsAt(
  reader: Pick<RecordReader, 'scan'>,
  series: SeriesKey,
  timestamps: Float64Array,
  signal: AbortSignal,
  { visit, isEnough }: { visit: (index: number, record: StoredRecord) => void; isEnough: () => boolean },
): Promise<number> {
  const { length } = timestamps;
  let at = 0;
  do {
    let isBroken = false;
    let besides = 0;
    const plan = {
      fromMs: timestamps[at] ?? 0,
      toMs: timestamps[length - 1] ?? 0,
      order: 'ascending' as const,
      limit: length - at + SPARE_ROWS,
    };
    await reader.scan(series, plan, signal, (record) => {
      while (at < length && (timestamps[at] ?? 0) < record.timeMs) at += 1;
      if (timestamps[at] === record.timeMs) {
        visit(at, record);
        at += 1;
        besides = 0;
      } else besides += 1;
      isBroken = besides >= MAX_BESIDES && at < length;
      return !isBroken && at < length;
    });
    if (!isBroken) return length;
  } while (at < length && !isEnough());
  return at;
}
