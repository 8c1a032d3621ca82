import type { Edges, HistoricRecord } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import { MAX_RECORD_MS, MIN_RECORD_MS, type SeriesKey } from '../../series/index.ts';
import type { StoredRecord } from '../domain/record-set.ts';
import type { EarlierRecords, RecordReader } from './ports.ts';

const EVERYTHING = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS } as const;

/**
 * Returns the newest `count` records having a value, newest first, and the oldest one.
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

/** The read takes this many times the records that are asked for, since the newest ones may be written later. */
const TIMES_READ = 2;

/**
 * Returns the newest `count` records having a value, newest first, and the newest ones that were last written before a time. Mostly one
 * read has both; where many were written since, or some do not say when, the store is asked for what was written before.
 * @param beforeMs Unix ms
 */
export async function edgesBefore(
  reader: RecordReader,
  records: EarlierRecords,
  series: SeriesKey,
  { count, beforeMs }: { readonly count: number; readonly beforeMs: number },
  signal: AbortSignal,
): Promise<{ readonly newest: HistoricRecord[]; readonly earlier: HistoricRecord[] }> {
  const newest: HistoricRecord[] = [];
  const earlier: HistoricRecord[] = [];
  const limit = TIMES_READ * count;
  let [seen, isKnown] = [0, true];
  if (count === 0) return { newest, earlier };
  await reader.scan(series, { ...EVERYTHING, order: 'descending', limit }, signal, (record) => {
    const found = toHistoricRecord(record, series.valueType);
    if (!found) return true;
    seen += 1;
    if (newest.length < count) newest.push(found);
    isKnown &&= seen <= limit && !Number.isNaN(record.modifiedMs);
    if (record.modifiedMs < beforeMs) earlier.push(found);
    return isKnown ? earlier.length < count : newest.length < count;
  });
  if (isKnown) return { newest, earlier };
  const asked: HistoricRecord[] = [];
  await records.scanWrittenBefore(series, beforeMs, signal, (record) => {
    const found = toHistoricRecord(record, series.valueType);
    if (found) asked.push(found);
    return asked.length < count;
  });
  return { newest, earlier: asked };
}

/** Answers the times of the first and last record, with or without value, for OPC's FIRST and LAST; null when there is none. */
export async function boundsOf(
  reader: RecordReader,
  series: SeriesKey,
  signal: AbortSignal,
): Promise<{ firstMs: number | null; lastMs: number | null }> {
  const timeOf = async (order: 'ascending' | 'descending') => {
    let timeMs: number | null = null;
    await reader.scan(series, { ...EVERYTHING, order, limit: 1 }, signal, (record) => {
      timeMs = record.timeMs;
      return false;
    });
    return timeMs;
  };
  return { firstMs: await timeOf('ascending'), lastMs: await timeOf('descending') };
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
