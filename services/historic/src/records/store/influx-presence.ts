import type { TimeRange } from '@catchment/ingest-log';
import {
  deletion,
  type InfluxConnection,
  inChunks,
  inTime,
  ofSeries,
  partsOf,
  rowsOf,
  select,
} from '../../influx/index.ts';
import { type PresenceProgress, presenceProgress } from '../domain/presence-progress.ts';
import type { ExistingRecords } from '../usecases/ports.ts';

import { keepRunBehind } from './influx-runs.ts';

export const MAX_TIMES = 100_000;
/** Reading this many rows takes about as long as asking for one timestamp while the data are not compacted yet: 10 ms. */
const ROWS_PER_TIME = 5_000;
const SPARE_ROWS = 2_000;
const PAGE_ROWS = 200_000;
const POINTS_PER_REQUEST = 500;
const CHUNK_ROWS = 10_000;
/** The first chunk answers whether there is any record, unless it is full of deleted ones. */
const ANY_CHUNK_ROWS = 100;

export class InfluxPresence implements ExistingRecords {
  readonly #influx: InfluxConnection;

  constructor(influx: InfluxConnection) {
    this.#influx = influx;
  }

  /**
   * Makes one request for a column whose records lie about as dense as the series. Where they are scattered over many others, pages of the
   * range and single timestamps take turns, so that neither few records years apart nor very many of them read the whole series.
   */
  async presenceAt(
    nodeId: string,
    timestamps: Float64Array,
    signal: AbortSignal,
    progress: PresenceProgress = presenceProgress(timestamps.length),
  ): Promise<Uint8Array> {
    const { length } = timestamps;
    while (progress.done < length) {
      // Scattered timestamps go on with points, which also get on where a page has found none of them.
      const isScattered = await this.#readPage(nodeId, timestamps, signal, progress);
      if (isScattered) await this.#readPoints(nodeId, timestamps, signal, progress);
    }
    return progress.presence;
  }

  /** @returns whether most of the rows that were read are unwanted */
  async #readPage(
    nodeId: string,
    timestamps: Float64Array,
    signal: AbortSignal,
    progress: PresenceProgress,
  ): Promise<boolean> {
    const { presence, done } = progress;
    const limit = Math.min(PAGE_ROWS, (timestamps.length - done) * ROWS_PER_TIME + SPARE_ROWS);
    const range = { fromMs: timestamps[done] ?? 0, toMs: timestamps.at(-1) ?? 0 };
    let at = done;
    const rows = await this.#visit(
      `${selectIn(nodeId, range)} ORDER BY time ASC LIMIT ${limit}`,
      CHUNK_ROWS,
      signal,
      (timeMs, parts) => {
        while (at < timestamps.length && (timestamps[at] ?? 0) < timeMs) at += 1;
        if (timestamps[at] === timeMs) {
          presence[at] = parts;
          at += 1;
        }
        return true;
      },
    );
    progress.done = rows < limit ? timestamps.length : at;
    return (at - done) * ROWS_PER_TIME < rows;
  }

  async #readPoints(
    nodeId: string,
    timestamps: Float64Array,
    signal: AbortSignal,
    progress: PresenceProgress,
  ): Promise<void> {
    const points = timestamps.subarray(progress.done, progress.done + POINTS_PER_REQUEST);
    if (points.length === 0) return;
    const indexOf = new Map(Array.from(points, (timeMs, n) => [timeMs, progress.done + n]));
    const statements = Array.from(points, (timeMs) => selectIn(nodeId, { fromMs: timeMs, toMs: timeMs }));
    await this.#visit(statements.join(';'), CHUNK_ROWS, signal, (timeMs, parts) => {
      const index = indexOf.get(timeMs);
      if (index !== undefined) progress.presence[index] = parts;
      return true;
    });
    progress.done += points.length;
  }

  async hasAny(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<boolean> {
    let isFound = false;
    await this.#visit(selectIn(nodeId, range), ANY_CHUNK_ROWS, signal, (_timeMs, parts) => {
      isFound = parts !== 0;
      return !isFound;
    });
    return isFound;
  }

  async timesIn(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<Float64Array | undefined> {
    const times: number[] = [];
    const statement = `${selectIn(nodeId, range)} ORDER BY time ASC LIMIT ${MAX_TIMES + 1}`;
    const rows = await this.#visit(statement, CHUNK_ROWS, signal, (timeMs, parts) => {
      if (parts !== 0) times.push(timeMs);
      return true;
    });
    return rows > MAX_TIMES ? undefined : Float64Array.from(times);
  }

  async deleteRange(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<void> {
    await keepRunBehind(this.#influx, nodeId, range, signal);
    await this.#influx.execute(deletion(`${ofSeries(nodeId)} AND ${inTime(range)}`), signal);
  }

  /** @param visit sees deleted records too, with no parts; false = enough. @returns rows seen */
  async #visit(
    statement: string,
    chunkRows: number,
    signal: AbortSignal,
    visit: (timeMs: number, parts: number) => boolean,
  ): Promise<number> {
    const parameters = inChunks(chunkRows);
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    let rows = 0;
    try {
      for await (const chunk of rowsOf(this.#influx.query(statement, parameters, either))) {
        for (const [timeMs, presence] of chunk) {
          rows += 1;
          if (!visit(Number(timeMs), partsOf(presence))) return rows;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      stop.abort();
    }
    return rows;
  }
}

const selectIn = (nodeId: string, range: TimeRange): string => `${select(nodeId, ['p', 'v'])} AND ${inTime(range)}`;
