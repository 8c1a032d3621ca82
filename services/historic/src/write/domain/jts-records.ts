import type { ValueType } from '@catchment/contracts/nodes';
import { tooLarge } from '@catchment/errors';
import { COLUMNS_MAX } from '@catchment/ids';
import { isJsonObject } from '@catchment/json-body';
import { parseTimeValueMs } from '@catchment/time';
import type { BuiltColumn } from '../../records/index.ts';
import { badBody, isStorable, type QualityOfValue, RECORD_RANGE_RULE } from '../../series/index.ts';
import { ColumnBuilder, firstOf } from './column-builder.ts';
import { columnIndexOf, type JtsRows } from './jts-document.ts';
import { NumberRows } from './jts-numbers.ts';

/** The fields of one column index go here. */
export type ColumnTarget = {
  readonly index: number;
  readonly valueType: ValueType;
  readonly qualityOf: QualityOfValue | undefined;
};

type ParsedRecords = {
  /** Columns have the order of the targets; a target without records has no column. */
  readonly columns: readonly BuiltColumn[];
  /** This many distinct timestamps have a record in at least one target. */
  readonly rows: number;
};

/** Fields of columns that are no target are ignored in a node write, and refused in a data source write. */
export type OtherColumns = 'ignored' | 'refused';

/** This many rows are read without a pause, where no states of texts are looked for. */
const STEP_ROWS = 64;

/**
 * Reads the `data` of a JTS document as columns, in steps: sorted by time, the later of two entries with one `ts` wins per column, empty
 * field objects skipped (docs/reference/records-and-documents.md#jts-documents).
 * @throws DomainError invalid_argument naming `data[<entry>]` and column; nothing is kept then
 */
export function* parseRecords(
  rows: JtsRows,
  targets: readonly ColumnTarget[],
  others: OtherColumns,
): Generator<void, ParsedRecords> {
  const collector = new RecordCollector(targets, rows.length, others);
  const times = rows instanceof NumberRows ? rows.times : readTimes(rows);
  const order = orderOf(times);
  const rowTimes = new Float64Array(rows.length);
  let row = -1;
  for (let n = 0; n < rows.length; n += 1) {
    const source = order ? (order[n] ?? 0) : n;
    const time = times[source] ?? 0;
    if (row < 0 || time !== rowTimes[row]) rowTimes[++row] = time;
    if (n % STEP_ROWS === 0) yield;
    if (rows instanceof NumberRows) {
      collector.addNumbers(row, rows, source);
      continue;
    }
    const fields = fieldsOf(rows[source], source);
    // The states of a single text may be some hundred million comparisons.
    for (const key in fields) if (collector.addField(row, fields[key], source, key)) yield;
  }
  return collector.build(firstOf(rowTimes, row + 1));
}

/** Takes each field to its column. */
class RecordCollector {
  readonly #builders: readonly ColumnBuilder[];
  readonly #byIndex: ReadonlyMap<number, ColumnBuilder>;
  readonly #byKey: ReadonlyMap<string, ColumnBuilder>;
  readonly #others: OtherColumns;
  readonly #ignored = new Set<string>();
  #rows = 0;
  #lastRow = -1;

  constructor(targets: readonly ColumnTarget[], maxRows: number, others: OtherColumns) {
    const columns = targets.map(
      ({ index, valueType, qualityOf }) => [index, new ColumnBuilder(valueType, maxRows, qualityOf)] as const,
    );
    this.#builders = columns.map(([, builder]) => builder);
    this.#byIndex = new Map(columns);
    this.#byKey = new Map(columns.map(([index, builder]) => [String(index), builder]));
    this.#others = others;
  }

  /** @returns whether reading may have taken long */
  addField(row: number, field: unknown, source: number, key: string): boolean {
    const builder = this.#byKey.get(key);
    if (!builder) {
      this.#leaveOut(key, source);
      return false;
    }
    const before = builder.count;
    builder.add(row, field, source, key);
    if (builder.count !== before) this.#noteRow(row);
    return builder.isCostly;
  }

  addNumbers(row: number, { ends, keys, values }: NumberRows, source: number): void {
    const end = ends[source] ?? 0;
    for (let n = source > 0 ? (ends[source - 1] ?? 0) : 0; n < end; n += 1) {
      const key = keys[n] ?? 0;
      const builder = this.#byIndex.get(key);
      if (builder) {
        builder.addNumber(row, values[n] ?? 0, source, key);
        this.#noteRow(row);
      } else this.#leaveOut(String(key), source);
    }
  }

  build(rowTimes: Float64Array): ParsedRecords {
    return { columns: this.#builders.map((builder) => builder.build(rowTimes)), rows: this.#rows };
  }

  #noteRow(row: number): void {
    if (row === this.#lastRow) return;
    this.#lastRow = row;
    this.#rows += 1;
  }

  #leaveOut(key: string, source: number): void {
    if (this.#ignored.has(key)) return;
    const at = `data[${source}].f.${key.slice(0, 40)}`;
    if (columnIndexOf(key) === undefined) throw badBody(at, 'key must be a column index');
    if (this.#others === 'refused') throw badBody(at, 'has no column in header.columns');
    this.#ignored.add(key);
    if (this.#ignored.size >= COLUMNS_MAX) throw tooLarge(`data: must have at most ${COLUMNS_MAX} columns`);
  }
}

function fieldsOf(entry: unknown, source: number): Readonly<Record<string, unknown>> {
  const { f } = entry as { f?: unknown };
  if (!isJsonObject(f)) throw badBody(`data[${source}].f`, 'must be an object');
  return f;
}

/** Reads the time of every entry, in Unix ms. */
function readTimes(rows: readonly unknown[]): Float64Array {
  const times = new Float64Array(rows.length);
  for (let n = 0; n < rows.length; n += 1) {
    const entry = rows[n];
    if (!isJsonObject(entry)) throw badBody(`data[${n}]`, 'must be an object');
    const ms = parseTimeValueMs(entry.ts);
    if (ms === undefined)
      throw badBody(`data[${n}].ts`, 'must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z');
    if (!isStorable(ms)) throw badBody(`data[${n}].ts`, RECORD_RANGE_RULE);
    times[n] = ms;
  }
  return times;
}

/**
 * Returns the order in which times ascend, with equal times as they are, so that the later entry wins; undefined where they ascend already.
 */
function orderOf(times: ArrayLike<number>): Uint32Array | undefined {
  let last = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < times.length; n += 1) {
    const time = times[n] ?? 0;
    if (time < last) return sortedOrder(times);
    last = time;
  }
  return undefined;
}

const sortedOrder = (times: ArrayLike<number>): Uint32Array =>
  Uint32Array.from({ length: times.length }, (_, n) => n).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
