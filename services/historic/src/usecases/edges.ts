import type { Edges, HistoricRecord } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import type { StoredRecord } from '../domain/record-set.ts';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../domain/store-range.ts';
import type { EarlierRecords, RecordReader, SeriesKey } from './ports.ts';

const EVERYTHING = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS } as const;

/**
 * The newest `count` records having a value, newest first, and the oldest one.
 * @param untilMs of the records up to this time
 */
export async function edgesOf(
  reader: RecordReader,
  series: SeriesKey,
  { count, untilMs = MAX_RECORD_MS }: { readonly count: number; readonly untilMs?: number | undefined },
  signal: AbortSignal,
): Promise<Edges> {
  const range = { fromMs: MIN_RECORD_MS, toMs: Math.min(untilMs, MAX_RECORD_MS) };
  const newest: HistoricRecord[] = [];
  let oldest: HistoricRecord | undefined;
  if (count > 0) {
    await reader.scan(series, { ...range, order: 'descending', limit: count }, signal, (record) => {
      const found = toHistoricRecord(record, series.valueType);
      if (found) newest.push(found);
      return newest.length < count;
    });
  }
  await reader.scan(series, { ...range, order: 'ascending', limit: 1 }, signal, (record) => {
    oldest = toHistoricRecord(record, series.valueType);
    return oldest === undefined;
  });
  return { nodeId: series.nodeId, newest, oldest };
}

/** The newest `count` records having a value that were last written before a time, Unix ms, newest first. */
export async function earlierOf(
  records: EarlierRecords,
  series: SeriesKey,
  { count, beforeMs }: { readonly count: number; readonly beforeMs: number },
  signal: AbortSignal,
): Promise<Edges> {
  const newest: HistoricRecord[] = [];
  if (count > 0)
    await records.scanWrittenBefore(series, beforeMs, signal, (record) => {
      const found = toHistoricRecord(record, series.valueType);
      if (found) newest.push(found);
      return newest.length < count;
    });
  return { nodeId: series.nodeId, newest, oldest: undefined };
}

/** Times of the first and last record, with or without value; null when there is none. For OPC's FIRST and LAST. */
export async function boundsOf(
  reader: RecordReader,
  series: SeriesKey,
  signal: AbortSignal,
): Promise<{ firstMs: number | null; lastMs: number | null }> {
  const one = async (order: 'ascending' | 'descending') => {
    let timeMs: number | null = null;
    await reader.scan(series, { ...EVERYTHING, order, limit: 1 }, signal, (record) => {
      timeMs = record.timeMs;
      return false;
    });
    return timeMs;
  };
  return { firstMs: await one('ascending'), lastMs: await one('descending') };
}

function toHistoricRecord(record: StoredRecord, valueType: ValueType): HistoricRecord | undefined {
  const value = recordValue(record, valueType);
  if (!value) return undefined;
  return { timestampMs: record.timeMs, value, ...(record.quality !== undefined && { quality: record.quality }) };
}

function recordValue({ number, longitude, text }: StoredRecord, valueType: ValueType): HistoricRecord['value'] {
  if (text !== undefined) return { $case: 'text', value: text };
  if (number === undefined) return undefined;
  if (valueType === ValueType.VALUE_TYPE_TIME) return { $case: 'timeMs', value: number };
  if (valueType !== ValueType.VALUE_TYPE_COORDINATES) return { $case: 'number', value: number };
  return { $case: 'coordinates', value: { latitude: number, longitude: longitude ?? 0 } };
}
