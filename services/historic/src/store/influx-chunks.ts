import type { RecordChunk } from '@catchment/contracts/copies';
import { ChunkBuilder, type CopiedSeries } from '../domain/record-chunk.ts';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../domain/store-range.ts';
import type { InfluxConnection } from './influx-connection.ts';
import { fieldsOf, visitRows } from './influx-pages.ts';
import { rowsOf } from './influx-rows.ts';
import { spansModified } from './influx-runs.ts';
import { inChunks, inTime, select, whole } from './influxql.ts';
import { MEASUREMENT } from './line-protocol.ts';

/** Records of a chunk: a series that only grows has the same chunks in every backup but for its last one. */
export const CHUNK_RECORDS = 65_536;

/** The live records of a series with the times when they were written, oldest first; one chunk is held in memory. */
export async function* chunksOf(
  influx: InfluxConnection,
  series: CopiedSeries,
  signal: AbortSignal,
): AsyncGenerator<RecordChunk> {
  const all = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS };
  const ever = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const spans = await spansModified(influx, series.nodeId, ever, all, signal);
  let chunk = new ChunkBuilder(series);
  let [fromMs, span] = [all.fromMs, 0];
  for (;;) {
    const wanted = CHUNK_RECORDS - chunk.count;
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
      return true;
    });
    const isLast = page.rows < wanted;
    // Deleted records take rows too.
    if (chunk.count === CHUNK_RECORDS || (isLast && chunk.count > 0)) {
      yield chunk.build();
      chunk = new ChunkBuilder(series);
    }
    if (isLast) return;
    fromMs = page.lastMs + 1;
  }
}

/** Whether there is any record of any series. */
export async function hasRecords(influx: InfluxConnection, signal: AbortSignal): Promise<boolean> {
  const statement = `SELECT * FROM "${MEASUREMENT}" LIMIT 1`;
  for await (const rows of rowsOf(influx.query(statement, inChunks(1), signal))) if (rows.length > 0) return true;
  return false;
}
