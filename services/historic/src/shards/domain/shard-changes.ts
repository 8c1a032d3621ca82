import { WriteMode } from '@catchment/contracts/ingest';
import { type LogEntry, rangeOf } from '@catchment/ingest-log';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/index.ts';

/** This part of a series is to be copied again; Unix ms, both inclusive. */
export type SeriesChange = {
  readonly nodeId: string;
  /** Changes of one bucket are one. */
  readonly bucket: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Records may be gone. */
  readonly clears: boolean;
};

/** A bucket has some 12 days: new records and late records are apart. */
const BUCKET_MS = 2 ** 30;
/** One column has at most this many buckets; a column over more of them is one change. */
const MAX_BUCKETS = 16;
const WHOLE = { bucket: -1, fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS, clears: true };

/** Lists what an entry of the log does to series, as far as it is to be copied. */
export function changesOf(entry: LogEntry): SeriesChange[] {
  switch (entry.kind) {
    case 'acquisition':
      return [];
    case 'nodesDelete':
      return entry.nodesDelete.nodeIds.map((nodeId) => ({ nodeId, ...WHOLE }));
    case 'seriesDelete':
      return [{ nodeId: entry.seriesDelete.nodeId, ...WHOLE }];
    case 'columnPart':
      // The column is applied with its last part.
      return entry.part.part === entry.part.parts - 1 ? [{ nodeId: entry.part.column.nodeId, ...WHOLE }] : [];
    case 'column':
      return columnChanges(entry.column);
  }
}

function columnChanges(column: Extract<LogEntry, { kind: 'column' }>['column']): SeriesChange[] {
  const { nodeId, timestamps, writeMode } = column;
  if (timestamps.length === 0) return [];
  const range = rangeOf(column);
  const [first, last] = [bucketOf(range.fromMs), bucketOf(range.toMs)];
  // A rest of a run may follow what is cleared; it then begins in the next millisecond.
  if (writeMode !== WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING)
    return [{ nodeId, bucket: first === last ? first : -1, fromMs: range.fromMs, toMs: range.toMs + 1, clears: true }];
  if (first < 0 || last - first >= MAX_BUCKETS) return [{ nodeId, bucket: -1, ...range, clears: false }];
  const changes: SeriesChange[] = [];
  for (let bucket = first; bucket <= last; bucket += 1) {
    const fromMs = Math.max(range.fromMs, bucket * BUCKET_MS);
    const toMs = Math.min(range.toMs, (bucket + 1) * BUCKET_MS - 1);
    changes.push({ nodeId, bucket, fromMs, toMs, clears: false });
  }
  return changes;
}

/** Times before 1970 are one change: their buckets would be taken for the one of what is large. */
const bucketOf = (timeMs: number): number => Math.max(-1, Math.floor(timeMs / BUCKET_MS));
