import type { HistoricRecord } from '@catchment/contracts/historic';
import type { RawValue, SeriesRecord } from '../domain/series-value.ts';

/** The record, or nothing when it has no value. */
export function toRecords({ timestampMs, value, quality }: HistoricRecord): SeriesRecord[] {
  const raw = rawValue(value);
  return raw === undefined ? [] : [{ ms: timestampMs, value: raw, quality: quality ?? null }];
}

function rawValue(value: HistoricRecord['value']): RawValue | undefined {
  switch (value?.$case) {
    case 'number':
      return Number.isFinite(value.value) ? value.value : undefined;
    case 'text':
      return value.value;
    case 'timeMs':
      return { $millis: value.value };
    case 'coordinates':
      return [value.value.latitude, value.value.longitude];
    case undefined:
      return undefined;
  }
}
