import type { HistoricRecord, Edges as StoredEdges } from '@catchment/contracts/historic';
import { storableText } from '@catchment/ids';
import type { Edges, RawValue, SeriesRecord } from '../../shown/index.ts';

/** Returns the records at the edges of a series as the store has them. */
export function toEdges({ newest, oldest }: StoredEdges): Edges {
  const [current = null, previous = null] = newest.flatMap(toRecords);
  return { current, previous, oldest: oldest ? (toRecords(oldest)[0] ?? null) : null };
}

/** Returns the record, or nothing when it has no value. */
export function toRecords({ timestampMs, value, quality }: HistoricRecord): SeriesRecord[] {
  const raw = rawValue(value);
  return raw === undefined ? [] : [{ ms: timestampMs, value: raw, quality: quality ?? null }];
}

function rawValue(value: HistoricRecord['value']): RawValue | undefined {
  switch (value?.$case) {
    case 'number':
      return Number.isFinite(value.value) ? value.value : undefined;
    case 'text':
      // Stored before it was refused: PostgreSQL takes it in no other way.
      return storableText(value.value);
    case 'timeMs':
      return { $millis: value.value };
    case 'coordinates':
      return [value.value.latitude, value.value.longitude];
    case undefined:
      return undefined;
  }
}
