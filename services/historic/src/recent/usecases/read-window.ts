import { type FetchPlan, type RecordReader, RecordSet } from '../../records/index.ts';
import { MAX_RECORD_MS, type SeriesKey } from '../../series/index.ts';
import { PackedWindow } from '../domain/packed-window.ts';

/** A window is read up to this many records, or up to this multiple of what a read asks for. */
const LEAST_RECORDS = 2_000;
const TIMES_ASKED = 2;

/** Returns how many records a window has at the most when it is read for a plan. */
export const mostOf = ({ limit, order }: Pick<FetchPlan, 'limit' | 'order'>, mostRecords: number): number =>
  limit === undefined && order === 'ascending'
    ? mostRecords
    : Math.min(mostRecords, Math.max(LEAST_RECORDS, (limit ?? 0) * TIMES_ASKED));

/**
 * Reads the records that a plan asks for and some more: up to the newest, where they are near. The window may have the begin of the plan only, or nothing
 * of it.
 */
export async function readWindow(
  store: RecordReader,
  series: SeriesKey,
  { fromMs, toMs, order, limit }: FetchPlan,
  mostRecords: number,
  signal: AbortSignal,
): Promise<PackedWindow> {
  const most = mostOf({ limit, order }, mostRecords);
  const found = new RecordSet(series.valueType);
  let [behind, isCut] = [0, false];
  const range: FetchPlan = { fromMs, toMs: MAX_RECORD_MS, order, limit: limit === undefined ? undefined : most };
  await store.scan(series, range, signal, (record) => {
    if (order === 'ascending' && record.timeMs > toMs) behind += 1;
    isCut = found.count >= most || behind > LEAST_RECORDS;
    if (!isCut) found.add(record);
    return !isCut;
  });
  const lastMs = found.times[found.count - 1] ?? fromMs;
  const covered =
    order === 'ascending'
      ? { fromMs, toMs: isCut ? lastMs : MAX_RECORD_MS }
      : { fromMs: isCut ? lastMs : fromMs, toMs: MAX_RECORD_MS };
  const window = new PackedWindow(series.valueType, covered);
  for (let n = 0; n < found.count; n += 1) window.append(found.at(order === 'ascending' ? n : found.count - 1 - n));
  return window;
}
