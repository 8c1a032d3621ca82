import type { QueryOptions, SeriesView } from '../../columns/index.ts';
import type { RecordSet } from '../../records/index.ts';
import { type ColumnTable, rowsOf, type TableColumn } from './column-table.ts';

/** Shown in the header. */
export type ShownHead = {
  /** null: nothing was given and nothing found. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** The same request goes on with this text; absent: there is nothing more. */
  readonly next?: string;
};

/**
 * Yields the pieces of a JTS document (docs/reference/records-and-documents.md#jts-documents) in the layout that line tools read
 * (docs/reference/records-and-documents.md#layout-of-the-text): the header over several lines, `"data"` on a line of its
 * own, then one record a line.
 */
export function* jtsText(
  table: ColumnTable,
  { startMs, endMs, next }: ShownHead,
  { zone, csv, timestamp }: Pick<QueryOptions, 'zone' | 'csv'> & { timestamp: (ms: number) => string },
): Generator<string> {
  const { columns, times } = table;
  yield jtsHead(
    columns.map(({ view }) => view),
    csv.header,
    {
      startTime: startMs === null ? null : zone.formatIso(startMs),
      endTime: endMs === null ? null : zone.formatIso(endMs),
      recordCount: times.length,
      ...(next !== undefined && { next }),
    },
  );
  yield* rowBlocks(table, timestamp);
  yield JTS_END;
}

/** A piece has this many rows where none of them takes long: a piece for each row would cost as much as the row. */
const BLOCK_ROWS = 64;

/** Yields the records with what parts them, some at a time; texts may be states that take long to find. */
function* rowBlocks(table: ColumnTable, timestamp: (ms: number) => string): Generator<string> {
  const most = table.columns.every(({ view }) => view.kind !== 'TEXT') ? BLOCK_ROWS : 1;
  let left = table.times.length;
  let block = '';
  let rows = 0;
  for (const row of jtsRows(table, timestamp)) {
    left -= 1;
    block += left === 0 ? `${row}\n` : `${row},\n`;
    rows += 1;
    if (rows < most && left > 0) continue;
    yield block;
    block = '';
    rows = 0;
  }
}

export const JTS_END = '  ]\n}\n';

/** All before the first record. */
export function jtsHead(views: readonly SeriesView[], hasHeader: boolean, of: object): string {
  const header = { ...of, columns: Object.fromEntries(views.map((view, n) => [n, headerColumn(view)])) };
  const document = { docType: 'jts', version: '1.0', ...(hasHeader && { header }) };
  return `${JSON.stringify(document, null, 2).replace(/\n\}$/, '')},\n  "data": [\n`;
}

/** Yields the records, one a line, without what parts them. */
export function* jtsRows(table: ColumnTable, timestamp: (ms: number) => string): Generator<string> {
  const { columns } = table;
  const [only] = columns;
  if (only && columns.length === 1) return yield* singleRows(only, table.times, timestamp);
  for (const { timeMs, indexes } of rowsOf(table)) {
    let fields = '';
    for (let n = 0; n < columns.length; n += 1) {
      const [column, index = -1] = [columns[n], indexes[n]];
      if (!column || index < 0) continue;
      fields += `${fields === '' ? '' : ', '}"${n}": ${field(column.records, column.view, index)}`;
    }
    yield `    { "ts":${timestamp(timeMs)}, "f": { ${fields} } }`;
  }
}

/** Yields the records of one column, whose rows need no search for those of others. */
function* singleRows(
  { records, view }: TableColumn,
  times: Float64Array,
  timestamp: (ms: number) => string,
): Generator<string> {
  // A limit may have left out the first records.
  let index = 0;
  for (const timeMs of times) {
    while ((records.times[index] ?? 0) < timeMs) index += 1;
    yield `    { "ts":${timestamp(timeMs)}, "f": { "0": ${field(records, view, index)} } }`;
    index += 1;
  }
}

function headerColumn({ node, dataType, renderType, format, aggregate, intervals, isRelative }: SeriesView) {
  const { series } = node;
  return {
    id: node.nodeId,
    name: node.name,
    dataType,
    units: series.units,
    renderType,
    ...(renderType === 'VALUE' && format !== '' && { format }),
    aggregate,
    ...intervals,
    ...(isRelative && { baselineType: 'RELATIVE' }),
  };
}

function field(records: RecordSet, view: SeriesView, index: number): string {
  const value = view.json(records, index);
  const quality = records.qualities[index] ?? -1;
  const annotation = records.annotations.get(index);
  if (quality < 0 && annotation === undefined) return value === undefined ? '{}' : `{"v":${value}}`;
  const parts = [];
  if (value !== undefined) parts.push(`"v":${value}`);
  if (quality >= 0) parts.push(`"q":${quality}`);
  if (annotation !== undefined) parts.push(`"a":${JSON.stringify(annotation)}`);
  return `{${parts.join(',')}}`;
}
