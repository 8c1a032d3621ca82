import { ValueType } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { StoredColumn } from '../domain/plan-write.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import type { StoredRecord } from '../domain/record-set.ts';
import { clampToStore, MAX_RECORD_MS, MIN_RECORD_MS } from '../domain/store-range.ts';
import type { RecordStore } from '../usecases/apply-batch.ts';
import { inParallel } from '../usecases/in-parallel.ts';
import type { InfluxConnection } from './influx-connection.ts';
import { visitCsv } from './influx-csv.ts';
import { type InfluxRow, rowsOf } from './influx-rows.ts';
import { linesOf, MARK_OTHER, MEASUREMENT, PRESENCE_FACTOR } from './line-protocol.ts';
import { lanesOf, MAX_LANES } from './write-lanes.ts';

/** A series as the store knows it. */
export type SeriesKey = { readonly nodeId: string; readonly valueType: ValueType };

/** Sees live records one by one; false = enough. */
export type Visit = (record: StoredRecord) => boolean;

export type RecordReader = {
  /**
   * Live records of a time range in the plan's order; the plan's limit is the visitor's business, and so is not to ask when
   * they were modified, which is told by `scanModified` only.
   */
  scan(series: SeriesKey, plan: FetchPlan, signal: AbortSignal, visit: Visit): Promise<void>;
  /** Live records last written within this time, Unix ms inclusive, ascending by their own time. */
  scanModified(series: SeriesKey, fromMs: number, toMs: number, signal: AbortSignal, visit: Visit): Promise<void>;
};

/** Rows of one piece of an answer, which is parsed as a whole: texts may have 10 000 characters each. */
const CHUNK_ROWS = 10_000;
const TEXT_CHUNK_ROWS = 500;
/** More than asked for, since deleted records take rows of the store too. */
const SPARE_ROWS = 16;
const MAX_PAGE_ROWS = 200_000;
const DELETES_PER_REQUEST = 50;
/** Reads of fewer records do not try whether they are numbers alone: where they are not, that is a request too many. */
const MIN_PLAIN_ROWS = 5_000;
/** Of a CSV answer, which is parsed as it comes. */
const CSV_CHUNK_ROWS = 10_000;

const FIELDS: Readonly<Record<number, readonly string[]>> = {
  [ValueType.VALUE_TYPE_NUMBER]: ['v'],
  [ValueType.VALUE_TYPE_TEXT]: ['t'],
  [ValueType.VALUE_TYPE_TIME]: ['i'],
  [ValueType.VALUE_TYPE_COORDINATES]: ['la', 'lo'],
};

/** Records in InfluxDB. Only ids of 24 hex digits and whole numbers ever get into a statement. */
export class InfluxRecords implements RecordStore, RecordReader {
  readonly #influx: InfluxConnection;

  constructor(influx: InfluxConnection) {
    this.#influx = influx;
  }

  async writeColumns(columns: readonly StoredColumn[], signal: AbortSignal): Promise<void> {
    await inParallel(lanesOf(columns), MAX_LANES, signal, async (lane, either) => {
      for (const piece of linesOf(lane)) {
        either.throwIfAborted();
        await this.#influx.write(piece, either);
      }
    });
  }

  async deleteSeries(nodeIds: readonly string[], signal: AbortSignal): Promise<void> {
    for (let from = 0; from < nodeIds.length; from += DELETES_PER_REQUEST) {
      const some = nodeIds.slice(from, from + DELETES_PER_REQUEST);
      const statements = some.map((id) => `DELETE FROM "${MEASUREMENT}" WHERE "s" = '${hexId(id)}'`);
      await this.#influx.execute(statements.join('; '), signal);
    }
  }

  async scan(series: SeriesKey, plan: FetchPlan, signal: AbortSignal, visit: Visit): Promise<void> {
    let { fromMs, toMs } = plan;
    const isAscending = plan.order === 'ascending';
    let pageRows = Math.min((plan.limit ?? MAX_PAGE_ROWS) + SPARE_ROWS, MAX_PAGE_ROWS);
    if (series.valueType === ValueType.VALUE_TYPE_NUMBER && (plan.limit ?? MIN_PLAIN_ROWS) >= MIN_PLAIN_ROWS) {
      const rest = await this.#visitPlain(series.nodeId, plan, signal, visit);
      if (rest === undefined) return;
      if (isAscending) fromMs = rest;
      else toMs = rest;
    }
    while (fromMs <= toMs) {
      const statement =
        select(series, fieldsOf(series.valueType)) +
        ` AND time >= ${whole(fromMs)}ms AND time <= ${whole(toMs)}ms` +
        ` ORDER BY time ${isAscending ? 'ASC' : 'DESC'} LIMIT ${whole(pageRows)}`;
      const page = await this.#visitRows(statement, series.valueType, signal, visit);
      if (page.isEnough || page.rows < pageRows) return;
      if (isAscending) fromMs = page.lastMs + 1;
      else toMs = page.lastMs - 1;
      pageRows = Math.min(pageRows * 4, MAX_PAGE_ROWS);
    }
  }

  async scanModified(
    series: SeriesKey,
    fromMs: number,
    toMs: number,
    signal: AbortSignal,
    visit: Visit,
  ): Promise<void> {
    const from = Math.max(0, clampToStore(fromMs)) * PRESENCE_FACTOR;
    const to = Math.max(0, clampToStore(toMs)) * PRESENCE_FACTOR + PRESENCE_FACTOR - 1;
    const statement =
      `${select(series, fieldsOf(series.valueType))} AND "p" >= ${whole(from)} AND "p" <= ${whole(to)}` +
      ` AND time >= ${MIN_RECORD_MS}ms AND time <= ${MAX_RECORD_MS}ms ORDER BY time ASC`;
    await this.#visitRows(statement, series.valueType, signal, visit);
  }

  /**
   * Numbers as long as they have nothing besides: their marks tell.
   * @returns time of the first record for which that is not so; undefined when all is done
   */
  async #visitPlain(
    nodeId: string,
    { fromMs, toMs, order, limit }: FetchPlan,
    signal: AbortSignal,
    visit: Visit,
  ): Promise<number | undefined> {
    const statement =
      select({ nodeId }, ['v', 'x']) +
      ` AND time >= ${whole(fromMs)}ms AND time <= ${whole(toMs)}ms` +
      ` ORDER BY time ${order === 'ascending' ? 'ASC' : 'DESC'}${limit === undefined ? '' : ` LIMIT ${whole(limit)}`}`;
    const parameters = { epoch: 'ms', chunked: 'true', chunk_size: String(CSV_CHUNK_ROWS) };
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const record = emptyRecord();
    let otherMs: number | undefined;
    let [rows, lastMs] = [0, 0];
    try {
      const answer = this.#influx.query(statement, parameters, either, 'application/csv');
      const isComplete = await visitCsv(answer, MEASUREMENT, (timeMs, number, mark) => {
        if (mark >= MARK_OTHER || Number.isNaN(number)) {
          otherMs = timeMs;
          return false;
        }
        rows += 1;
        lastMs = timeMs;
        record.timeMs = timeMs;
        record.number = number;
        record.quality = undefined;
        record.annotation = undefined;
        return visit(record);
      });
      // The visitor wanted more than it has seen so far: it leaves some records out.
      if (isComplete && rows === limit) return order === 'ascending' ? lastMs + 1 : lastMs - 1;
      return otherMs;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      stop.abort();
    }
  }

  async #visitRows(statement: string, valueType: ValueType, signal: AbortSignal, visit: Visit) {
    const chunkRows = valueType === ValueType.VALUE_TYPE_TEXT ? TEXT_CHUNK_ROWS : CHUNK_ROWS;
    const parameters = { epoch: 'ms', chunked: 'true', chunk_size: String(chunkRows) };
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const record = emptyRecord();
    let rows = 0;
    let lastMs = 0;
    try {
      for await (const chunk of rowsOf(this.#influx.query(statement, parameters, either))) {
        for (const row of chunk) {
          rows += 1;
          lastMs = Number(row[0]);
          if (read(row, valueType, record) && !visit(record)) return { rows, lastMs, isEnough: true };
        }
      }
    } catch (error) {
      // The reason (too slow, caller left) rather than what it did to the connection.
      signal.throwIfAborted();
      throw error;
    } finally {
      stop.abort();
    }
    return { rows, lastMs, isEnough: false };
  }
}

const fieldsOf = (valueType: ValueType): readonly string[] => ['p', 'q', 'a', ...(FIELDS[valueType] ?? [])];

function select({ nodeId }: Pick<SeriesKey, 'nodeId'>, fields: readonly string[]): string {
  const named = fields.map((field) => `"${field}"`).join(', ');
  return `SELECT ${named} FROM "${MEASUREMENT}" WHERE "s" = '${hexId(nodeId)}'`;
}

function hexId(id: string): string {
  if (!isObjectId(id)) throw new DomainError('internal', 'NOT_AN_ID', 'a series id must be 24 hex characters');
  return id.toLowerCase();
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new DomainError('internal', 'NOT_AN_INTEGER', 'a bound must be an integer');
  return value;
}

const emptyRecord = (): StoredRecord => ({
  timeMs: 0,
  modifiedMs: 0,
  number: undefined,
  longitude: undefined,
  text: undefined,
  quality: undefined,
  annotation: undefined,
});

/** Fills `into` by the presence bits, whatever older fields the point still has. @returns false for a deleted record */
function read(row: InfluxRow, valueType: ValueType, into: StoredRecord): boolean {
  const presence = Number(row[1]);
  const bits = presence % PRESENCE_FACTOR;
  if (bits === 0) return false;
  into.timeMs = Number(row[0]);
  into.modifiedMs = (presence - bits) / PRESENCE_FACTOR;
  into.quality = bits & 2 && row[2] !== null ? Number(row[2]) : undefined;
  into.annotation = bits & 4 && row[3] !== null ? String(row[3]) : undefined;
  const value = bits & 1 ? row[4] : null;
  into.text = undefined;
  into.number = undefined;
  into.longitude = undefined;
  if (value === null || value === undefined) return true;
  if (valueType === ValueType.VALUE_TYPE_TEXT) into.text = String(value);
  else into.number = Number(value);
  if (valueType === ValueType.VALUE_TYPE_COORDINATES) into.longitude = Number(row[5]);
  return true;
}
