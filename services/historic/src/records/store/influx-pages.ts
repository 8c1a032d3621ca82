import { ValueType } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { Pace } from '@catchment/fair-queue';
import { FLAG } from '@catchment/ingest-log';
import {
  type InfluxConnection,
  type InfluxRow,
  inChunks,
  inTime,
  MARK_OTHER,
  PRESENCE_FACTOR,
  partsOf,
  rowsOf,
  select,
  whole,
} from '../../influx/index.ts';
import type { SeriesKey } from '../../series/index.ts';
import type { FetchPlan } from '../domain/read-range.ts';
import { emptyRecord, type StoredRecord } from '../domain/record-set.ts';
import type { Visit } from '../usecases/ports.ts';

/** The first and last row in the requested order have these times; Unix ms. */
export type Page = {
  readonly rows: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The visitor wants no more. */
  readonly isEnough: boolean;
  /** Every row was a number and nothing else. */
  readonly isPlain: boolean;
  /** The first row that is more than a number has this time; it was not visited. */
  readonly otherMs?: number;
};

/** A piece of an answer has this many rows and is parsed as a whole: texts may have 10 000 characters each. */
const CHUNK_ROWS = 5_000;
const TEXT_CHUNK_ROWS = 500;

const FIELDS: Readonly<Record<number, readonly string[]>> = {
  [ValueType.VALUE_TYPE_NUMBER]: ['v'],
  [ValueType.VALUE_TYPE_TEXT]: ['t'],
  [ValueType.VALUE_TYPE_TIME]: ['i'],
  [ValueType.VALUE_TYPE_COORDINATES]: ['la', 'lo'],
};

/** Answers that are no longer wanted are given up for this one reason; making an error for each costs more. */
const ENOUGH = new DomainError('cancelled', 'ENOUGH_READ', 'The reader has enough');

/** Reads live records of a range. The first row that is more than a number ends none of it. */
export async function readPage(
  influx: InfluxConnection,
  series: SeriesKey,
  range: FetchPlan,
  signal: AbortSignal,
  visit: Visit,
): Promise<Page> {
  return visitRows(
    influx,
    select(series.nodeId, fieldsOf(series.valueType)) + within(range),
    series.valueType,
    signal,
    visit,
  );
}

/** Reads numbers as long as they have nothing besides, which their marks show: it costs InfluxDB and this service half of `readPage`. */
export async function readPlainPage(
  influx: InfluxConnection,
  { nodeId }: SeriesKey,
  range: FetchPlan,
  signal: AbortSignal,
  visit: Visit,
): Promise<Page> {
  const statement = select(nodeId, ['v', 'x']) + within(range);
  const record = emptyRecord();
  let [rows, firstMs, lastMs, isEnough] = [0, 0, 0, false];
  let otherMs: number | undefined;
  await whileWanted(signal, async (wanted) => {
    for await (const chunk of rowsOf(influx.query(statement, inChunks(CHUNK_ROWS), wanted))) {
      for (const row of chunk) {
        const timeMs = Number(row[0]);
        const number = row[1] as number | null;
        if (number === null || Number(row[2]) >= MARK_OTHER) {
          otherMs = timeMs;
          return;
        }
        rows += 1;
        lastMs = timeMs;
        if (rows === 1) firstMs = timeMs;
        record.timeMs = timeMs;
        record.number = number;
        record.quality = undefined;
        record.annotation = undefined;
        isEnough = !visit(record);
        if (isEnough) return;
      }
    }
  });
  const isPlain = otherMs === undefined;
  return { rows, firstMs, lastMs, isEnough, isPlain, ...(otherMs !== undefined && { otherMs }) };
}

/** Visits live records among the rows of a statement that selects the fields of `select`. */
export async function visitRows(
  influx: InfluxConnection,
  statement: string,
  valueType: ValueType,
  signal: AbortSignal,
  visit: Visit,
): Promise<Page> {
  const chunkRows = valueType === ValueType.VALUE_TYPE_TEXT ? TEXT_CHUNK_ROWS : CHUNK_ROWS;
  const parameters = inChunks(chunkRows);
  const record = emptyRecord();
  let [rows, firstMs, lastMs, isPlain, isEnough] = [0, 0, 0, true, false];
  await whileWanted(signal, async (wanted) => {
    const pace = new Pace({ signal: wanted });
    for await (const chunk of rowsOf(influx.query(statement, parameters, wanted))) {
      for (const row of chunk) {
        rows += 1;
        lastMs = Number(row[0]);
        if (rows === 1) firstMs = lastMs;
        isPlain &&= partsOf(row[1]) === FLAG.value;
        isEnough = read(row, valueType, record) && !visit(record);
        if (isEnough) return;
        // The visitor may look for the states of texts.
        if (pace.isOver) await pace.next();
      }
    }
  });
  return { rows, firstMs, lastMs, isEnough, isPlain };
}

/** Ends the answer with the work. Its error is the reason of the signal (too slow, caller left), where it has one. */
async function whileWanted(signal: AbortSignal, work: (wanted: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  try {
    await work(AbortSignal.any([signal, stop.signal]));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    stop.abort(ENOUGH);
  }
}

function within({ fromMs, toMs, order, limit }: FetchPlan): string {
  const direction = order === 'ascending' ? 'ASC' : 'DESC';
  const rows = limit === undefined ? '' : ` LIMIT ${whole(limit)}`;
  return ` AND ${inTime({ fromMs, toMs })} ORDER BY time ${direction}${rows}`;
}

export const fieldsOf = (valueType: ValueType): readonly string[] => ['p', 'q', 'a', ...(FIELDS[valueType] ?? [])];

/** Fills `into` by the presence bits, whatever older fields the point still has. @returns false for a deleted record */
function read(row: InfluxRow, valueType: ValueType, into: StoredRecord): boolean {
  const bits = partsOf(row[1]);
  if (bits === 0) return false;
  into.timeMs = Number(row[0]);
  into.modifiedMs = row[1] === null ? Number.NaN : (Number(row[1]) - bits) / PRESENCE_FACTOR;
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
