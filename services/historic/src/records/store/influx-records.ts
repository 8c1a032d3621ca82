import { ValueType } from '@catchment/contracts/nodes';
import { inParallel } from '@catchment/fair-queue';
import type { TimeRange } from '@catchment/ingest-log';
import { counter } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';
import {
  deletion,
  type InfluxConnection,
  inTime,
  ofSeries,
  PRESENCE_FACTOR,
  select,
  whole,
} from '../../influx/index.ts';
import { clampToStore, MAX_RECORD_MS, MIN_RECORD_MS, type SeriesKey } from '../../series/index.ts';
import type { StoredColumn } from '../domain/plan-write.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import { type KnownSeries, ReadWindows, SeenRows, seriesAfter } from '../domain/read-window.ts';
import type { EarlierRecords, RecordReader, RecordStore, Visit } from '../usecases/ports.ts';

import { fieldsOf, readPage, readPlainPage, visitRows } from './influx-pages.ts';
import { appendedAmong, LEAST_RUN, spansModified } from './influx-runs.ts';

import { linesOf } from './line-protocol.ts';
import { type HeldSpan, NewestTimes } from './newest-times.ts';
import { lanesOf, MAX_LANES } from './write-lanes.ts';

/** This many more are requested, since deleted records take rows of the store too. */
const SPARE_ROWS = 16;
const MAX_PAGE_ROWS = 200_000;
/** The first page of records written before a time has this many rows: mostly the newest 15 are asked for. */
const EARLIER_ROWS = 32;
const DELETES_PER_REQUEST = 50;
/** Reads of fewer records do not try whether they are numbers alone: where they are not, that is a request too many. */
const MIN_PLAIN_ROWS = 5_000;
/** This many series are remembered; each takes some 150 bytes. */
const MAX_KNOWN = 20_000;

const recordsWritten = counter({
  name: 'catchment_records_written_total',
  help: 'Records that InfluxDB has stored; one for each series, again when they are written again.',
  labels: ['shard'],
});

type RecordsOptions = { readonly leastRun?: number; readonly heldSpan?: HeldSpan };

/** Records in InfluxDB. */
export class InfluxRecords implements RecordStore, RecordReader, EarlierRecords {
  readonly #influx: InfluxConnection;
  readonly #known = new LRUCache<string, KnownSeries>({ max: MAX_KNOWN });
  readonly #leastRun: number;
  readonly #times: NewestTimes;

  /**
   * @param options.leastRun fewest records that are written without presence fields; Infinity = all have them
   * @param options.heldSpan the span of the log in which all writes go through this store; absent = others may write too
   */
  constructor(
    influx: InfluxConnection,
    { leastRun = LEAST_RUN, heldSpan = async () => undefined }: RecordsOptions = {},
  ) {
    this.#influx = influx;
    this.#leastRun = leastRun;
    this.#times = new NewestTimes(heldSpan);
  }

  async writeColumns(columns: readonly StoredColumn[], signal: AbortSignal): Promise<void> {
    const runs = { leastRun: this.#leastRun, times: this.#times };
    const appended = await appendedAmong(this.#influx, columns, runs, signal);
    await inParallel(lanesOf(columns), { atOnce: MAX_LANES, signal }, async (lane, either) => {
      for (const piece of linesOf(lane, appended)) {
        either.throwIfAborted();
        await this.#influx.write(piece, either);
      }
    });
    const records = columns.reduce((sum, { timestamps }) => sum + timestamps.length, 0);
    recordsWritten.add({ shard: this.#influx.shard }, records);
  }

  async deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void> {
    for (let from = 0; from < nodeIds.length; from += DELETES_PER_REQUEST) {
      const some = nodeIds.slice(from, from + DELETES_PER_REQUEST);
      await this.#influx.execute(some.map((id) => deletion(ofSeries(id))).join('; '), signal);
    }
    this.#times.forget(nodeIds);
  }

  /** A read with a limit reads the smallest part of the range that holds its rows, as far as the series is known. */
  async scan(series: SeriesKey, plan: FetchPlan, signal: AbortSignal, visit: Visit): Promise<void> {
    const known = this.#known.get(series.nodeId);
    const [nowMs, seen] = [Date.now(), new SeenRows()];
    const windows = new ReadWindows(plan, known, nowMs);
    let isPlain =
      series.valueType === ValueType.VALUE_TYPE_NUMBER &&
      (known?.isPlain ?? (plan.limit ?? MIN_PLAIN_ROWS) >= MIN_PLAIN_ROWS);
    let pageRows = Math.min((plan.limit ?? MAX_PAGE_ROWS) + SPARE_ROWS, MAX_PAGE_ROWS);
    for (let window = windows.next(); window; window = windows.next()) {
      const limit = plan.limit === undefined && isPlain ? undefined : pageRows;
      const range = { ...window, order: plan.order, limit };
      const page = isPlain
        ? await readPlainPage(this.#influx, series, range, signal, visit)
        : await readPage(this.#influx, series, range, signal, visit);
      seen.add(page);
      if (page.isEnough) break;
      if (page.otherMs !== undefined) {
        isPlain = false;
        windows.restFrom(page.otherMs);
      } else if (page.rows === limit) {
        windows.restBehind(page.lastMs);
        pageRows = Math.min(pageRows * 4, MAX_PAGE_ROWS);
      } else windows.read(page.rows, pageRows - page.rows);
    }
    if (plan.limit === undefined || seen.rows === 0) return;
    this.#known.set(series.nodeId, seriesAfter(known, plan, seen, nowMs));
  }

  async scanModified(
    series: SeriesKey,
    { fromMs, toMs }: TimeRange,
    signal: AbortSignal,
    visit: Visit,
    within: TimeRange = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS },
  ): Promise<void> {
    const modified = { fromMs: Math.max(0, clampToStore(fromMs)), toMs: Math.max(0, clampToStore(toMs)) };
    const said =
      ` AND "p" >= ${whole(modified.fromMs * PRESENCE_FACTOR)}` +
      ` AND "p" <= ${whole(modified.toMs * PRESENCE_FACTOR + PRESENCE_FACTOR - 1)}`;
    const read = async (range: TimeRange, condition: string, see: Visit) => {
      if (range.fromMs > range.toMs) return false;
      const statement = `${select(series.nodeId, fieldsOf(series.valueType))}${condition} AND ${inTime(range)} ORDER BY time ASC`;
      return (await visitRows(this.#influx, statement, series.valueType, signal, see)).isEnough;
    };
    let at = within.fromMs;
    for (const span of await spansModified(this.#influx, series.nodeId, modified, within, signal)) {
      const isEnough =
        (await read({ fromMs: at, toMs: span.fromMs - 1 }, said, visit)) ||
        (await read(span, '', (record) => {
          if (Number.isNaN(record.modifiedMs)) record.modifiedMs = span.modifiedAt(record.timeMs);
          return record.modifiedMs < modified.fromMs || record.modifiedMs > modified.toMs || visit(record);
        }));
      if (isEnough) return;
      at = span.toMs + 1;
    }
    await read({ fromMs: at, toMs: within.toMs }, said, visit);
  }

  /** InfluxDB passes over what was written later: it may be any number of records. */
  async scanWrittenBefore(series: SeriesKey, beforeMs: number, signal: AbortSignal, visit: Visit): Promise<void> {
    const before = clampToStore(beforeMs);
    if (before <= 0) return;
    const said = ` AND "p" < ${whole(before * PRESENCE_FACTOR)}`;
    const read = async ({ fromMs, toMs }: TimeRange, condition: string, see: Visit) => {
      let [restMs, pageRows] = [toMs, EARLIER_ROWS];
      while (fromMs <= restMs) {
        const range = inTime({ fromMs, toMs: restMs });
        const statement = `${select(series.nodeId, fieldsOf(series.valueType))}${condition} AND ${range} ORDER BY time DESC LIMIT ${pageRows}`;
        const page = await visitRows(this.#influx, statement, series.valueType, signal, see);
        if (page.isEnough) return true;
        if (page.rows < pageRows) return false;
        restMs = page.lastMs - 1;
        pageRows = Math.min(pageRows * 4, MAX_PAGE_ROWS);
      }
      return false;
    };
    const all = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS };
    const spans = await spansModified(this.#influx, series.nodeId, { fromMs: 0, toMs: before - 1 }, all, signal);
    let at = all.toMs;
    for (const span of spans.toReversed()) {
      const isEnough =
        (await read({ fromMs: span.toMs + 1, toMs: at }, said, visit)) ||
        // A record that does not say when it was written is of the runs of the span.
        (await read(span, '', (record) => record.modifiedMs >= before || visit(record)));
      if (isEnough) return;
      at = span.fromMs - 1;
    }
    await read({ fromMs: all.fromMs, toMs: at }, said, visit);
  }
}
