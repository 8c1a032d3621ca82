import type { RecordChunk } from '@catchment/contracts/copies';
import { type InfluxConnection, inChunks, inTime, MEASUREMENT, rowsOf, select, whole } from '../../influx/index.ts';
import { fieldsOf, spansModified, visitRows } from '../../records/index.ts';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/index.ts';
import { ChunkBuilder, type CopiedSeries } from '../domain/record-chunk.ts';

/**
 * A chunk ends where it has so many records, or so many bytes: texts have up to 10 000 characters each. Both are of its content alone, so a
 * series that only grows has the same chunks in every backup but for its last one.
 */
const CHUNK = { records: 65_536, bytes: 16 * 1024 * 1024 };

/** Does a piece of the reading, again where it fails for a moment. */
export type Retry = <T>(work: () => Promise<T>) => Promise<T>;

export type ChunkOptions = {
  readonly signal: AbortSignal;
  readonly retry?: Retry;
  readonly limits?: typeof CHUNK;
};

/** Yields the live records of a series with the times when they were written, oldest first; one chunk is held in memory. */
export async function* chunksOf(
  influx: InfluxConnection,
  series: CopiedSeries,
  { signal, retry = (work) => work(), limits = CHUNK }: ChunkOptions,
): AsyncGenerator<RecordChunk> {
  const all = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS };
  const ever = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const spans = await retry(() => spansModified(influx, series.nodeId, ever, all, signal));
  /** Reads one chunk, from its beginning: what came before an error is read once more. */
  const chunkFrom = async (begin: { fromMs: number; span: number }) => {
    const chunk = new ChunkBuilder(series);
    let { fromMs, span } = begin;
    for (;;) {
      const wanted = limits.records - chunk.count;
      const statement =
        `${select(series.nodeId, fieldsOf(series.valueType))} AND ${inTime({ ...all, fromMs })}` +
        ` ORDER BY time ASC LIMIT ${whole(wanted)}`;
      const page = await visitRows(influx, statement, series.valueType, signal, (record) => {
        let modifiedMs = record.modifiedMs;
        if (Number.isNaN(modifiedMs)) {
          while (span < spans.length && (spans[span]?.toMs ?? 0) < record.timeMs) span += 1;
          const run = spans[span];
          // A record that no run names any more was written before anybody asks.
          modifiedMs = run && run.fromMs <= record.timeMs ? run.modifiedAt(record.timeMs) : 0;
        }
        chunk.add(record, modifiedMs);
        return chunk.bytes < limits.bytes;
      });
      fromMs = page.lastMs + 1;
      const isLast = page.rows < wanted && !page.isEnough;
      // Deleted records take rows too.
      if (isLast || page.isEnough || chunk.count === limits.records) return { chunk, isLast, next: { fromMs, span } };
    }
  };
  for (let begin = { fromMs: all.fromMs, span: 0 }; ; ) {
    const { chunk, isLast, next } = await retry(() => chunkFrom(begin));
    if (chunk.count > 0) yield chunk.build();
    if (isLast) return;
    begin = next;
  }
}

/** Returns whether there is any record of any series. */
export async function hasRecords(influx: InfluxConnection, signal: AbortSignal): Promise<boolean> {
  const statement = `SELECT * FROM "${MEASUREMENT}" LIMIT 1`;
  for await (const rows of rowsOf(influx.query(statement, inChunks(1), signal))) if (rows.length > 0) return true;
  return false;
}
