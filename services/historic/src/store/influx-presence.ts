import { DomainError } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { TimeRange } from '../domain/plan-write.ts';
import type { InfluxConnection } from './influx-connection.ts';
import { rowsOf } from './influx-rows.ts';
import { MEASUREMENT, PRESENCE_FACTOR } from './line-protocol.ts';

/** What writes that depend on existing records ask of the store; only the presence field is read. */
export type ExistingRecords = {
  /** Live parts (value 1, quality 2, annotation 4) at each of these ascending timestamps, 0 = no record. */
  presenceAt(nodeId: string, timestamps: Float64Array, signal: AbortSignal): Promise<Uint8Array>;
  hasAny(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<boolean>;
  /** Times of the records in a range, ascending; undefined where the range has more than `MAX_TIMES` rows. */
  timesIn(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<Float64Array | undefined>;
  deleteRange(nodeId: string, range: TimeRange, signal: AbortSignal): Promise<void>;
};

export const MAX_TIMES = 100_000;
/** Asked for by range while the store has at most this many rows for each timestamp asked for … */
const ROWS_PER_TIME = 16;
const SPARE_ROWS = 2_000;
/** … and otherwise one by one, this many in one request. */
const POINTS_PER_REQUEST = 2_000;
const CHUNK_ROWS = 10_000;
/** The first chunk answers whether there is any record, unless it is full of deleted ones. */
const ANY_CHUNK_ROWS = 100;

export class InfluxPresence implements ExistingRecords {
  readonly #influx: InfluxConnection;

  constructor(influx: InfluxConnection) {
    this.#influx = influx;
  }

  /**
   * One request for a column whose records lie about as dense as the series; a few more where they are scattered over many
   * others, so that neither few records years apart nor very many ever read a whole series.
   */
  async presenceAt(nodeId: string, timestamps: Float64Array, signal: AbortSignal): Promise<Uint8Array> {
    const presence = new Uint8Array(timestamps.length);
    const [fromMs] = timestamps;
    const toMs = timestamps.at(-1);
    if (fromMs === undefined || toMs === undefined) return presence;
    let at = 0;
    const match = (timeMs: number, parts: number) => {
      while (at < timestamps.length && (timestamps[at] ?? 0) < timeMs) at += 1;
      if (timestamps[at] === timeMs) presence[at] = parts;
      return true;
    };
    const limit = timestamps.length * ROWS_PER_TIME + SPARE_ROWS;
    const statement = `${selectIn(nodeId, { fromMs, toMs })} ORDER BY time ASC LIMIT ${limit}`;
    const rows = await this.#visit(statement, CHUNK_ROWS, signal, match);
    if (rows < limit) return presence;
    for (let from = at; from < timestamps.length; from += POINTS_PER_REQUEST) {
      const points = timestamps.subarray(from, from + POINTS_PER_REQUEST);
      const statements = Array.from(points, (timeMs) => selectIn(nodeId, { fromMs: timeMs, toMs: timeMs }));
      at = from;
      await this.#visit(statements.join(';'), CHUNK_ROWS, signal, match);
    }
    return presence;
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
    await this.#influx.execute(`DELETE FROM "${MEASUREMENT}" WHERE ${within(nodeId, range)}`, signal);
  }

  /** @param visit sees deleted records too, with no parts; false = enough. @returns rows seen */
  async #visit(
    statement: string,
    chunkRows: number,
    signal: AbortSignal,
    visit: (timeMs: number, parts: number) => boolean,
  ): Promise<number> {
    const parameters = { epoch: 'ms', chunked: 'true', chunk_size: String(chunkRows) };
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    let rows = 0;
    try {
      for await (const chunk of rowsOf(this.#influx.query(statement, parameters, either))) {
        for (const [timeMs, presence] of chunk) {
          rows += 1;
          if (!visit(Number(timeMs), Number(presence) % PRESENCE_FACTOR)) return rows;
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

const selectIn = (nodeId: string, range: TimeRange): string =>
  `SELECT "p" FROM "${MEASUREMENT}" WHERE ${within(nodeId, range)}`;

function within(nodeId: string, { fromMs, toMs }: TimeRange): string {
  if (!isObjectId(nodeId)) throw new DomainError('internal', 'NOT_AN_ID', 'a series id must be 24 hex characters');
  if (!Number.isSafeInteger(fromMs) || !Number.isSafeInteger(toMs))
    throw new DomainError('internal', 'NOT_AN_INTEGER', 'a bound must be an integer');
  return `"s" = '${nodeId.toLowerCase()}' AND time >= ${fromMs}ms AND time <= ${toMs}ms`;
}
