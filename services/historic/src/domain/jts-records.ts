import type { ValueType } from '@catchment/contracts/nodes';
import { tooLarge } from '@catchment/errors';
import { parseTimeValueMs } from '@catchment/time';
import { type BuiltColumn, ColumnBuilder, type QualityOfValue } from './column-builder.ts';
import { badBody, isObject } from './json-body.ts';
import { columnIndexOf, MAX_COLUMNS } from './jts-document.ts';
import { isStorable, RECORD_RANGE_RULE } from './store-range.ts';

/** Where the fields of one column index go. */
export type ColumnTarget = {
  readonly index: number;
  readonly valueType: ValueType;
  readonly qualityOf: QualityOfValue | undefined;
};

export type ParsedRecords = {
  /** As the targets; a column without records has none. */
  readonly columns: readonly BuiltColumn[];
  /** Distinct timestamps that have a record in at least one target. */
  readonly rows: number;
};

/** Fields of columns that are no target: of a node write they are ignored, of a data source write refused. */
export type OtherColumns = 'ignored' | 'refused';

/**
 * The `data` of a JTS document as columns: sorted by time, the later of two entries with one `ts` wins per column, empty
 * field objects skipped (semantics 6.1).
 * @throws DomainError invalid_argument naming `data[<entry>]` and column; nothing is kept then
 */
export function parseRecords(
  rows: readonly unknown[],
  targets: readonly ColumnTarget[],
  others: OtherColumns,
): ParsedRecords {
  const builders = targets.map(({ valueType, qualityOf }) => new ColumnBuilder(valueType, rows.length, qualityOf));
  const builderOf = new Map(targets.map(({ index }, n) => [String(index), builders[n]]));
  const ignored = new Set<string>();
  const { times, order } = readTimes(rows);
  const rowTimes = new Float64Array(rows.length);
  let row = -1;
  let rowsWithRecords = 0;
  let counted = -1;
  for (let n = 0; n < rows.length; n += 1) {
    const source = order ? (order[n] ?? 0) : n;
    const time = times[source] ?? 0;
    if (row < 0 || time !== rowTimes[row]) rowTimes[++row] = time;
    const fields = fieldsOf(rows[source], source);
    for (const key in fields) {
      const builder = builderOf.get(key);
      if (!builder) {
        if (!ignored.has(key)) checkOther(key, source, others, ignored);
        continue;
      }
      const before = builder.count;
      builder.add(row, fields[key], source, key);
      if (builder.count !== before && counted !== row) {
        counted = row;
        rowsWithRecords += 1;
      }
    }
  }
  const distinct = rowTimes.subarray(0, row + 1);
  return { columns: builders.map((builder) => builder.build(distinct)), rows: rowsWithRecords };
}

function fieldsOf(entry: unknown, source: number): Readonly<Record<string, unknown>> {
  const fields = (entry as { f?: unknown }).f;
  if (!isObject(fields)) throw badBody(`data[${source}].f`, 'must be an object');
  return fields;
}

function checkOther(key: string, source: number, others: OtherColumns, ignored: Set<string>): void {
  const at = `data[${source}].f.${key.slice(0, 40)}`;
  if (columnIndexOf(key) === undefined) throw badBody(at, 'key must be a column index');
  if (others === 'refused') throw badBody(at, 'has no column in header.columns');
  ignored.add(key);
  if (ignored.size >= MAX_COLUMNS) throw tooLarge(`data: must have at most ${MAX_COLUMNS} columns`);
}

/** The time of every entry, and the order in which they ascend where they do not do so already. */
function readTimes(rows: readonly unknown[]): { times: Float64Array; order: Uint32Array | undefined } {
  const times = new Float64Array(rows.length);
  let isSorted = true;
  let last = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < rows.length; n += 1) {
    const entry = rows[n];
    if (!isObject(entry)) throw badBody(`data[${n}]`, 'must be an object');
    const ms = parseTimeValueMs(entry.ts);
    if (ms === undefined)
      throw badBody(`data[${n}].ts`, 'must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z');
    if (!isStorable(ms)) throw badBody(`data[${n}].ts`, RECORD_RANGE_RULE);
    if (ms < last) isSorted = false;
    last = ms;
    times[n] = ms;
  }
  if (isSorted) return { times, order: undefined };
  // Equal times keep their order, so that the later entry wins.
  const order = Uint32Array.from({ length: rows.length }, (_, n) => n).sort(
    (a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b,
  );
  return { times, order };
}
