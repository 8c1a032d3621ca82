import { type ColumnTable, rowsOf, type TableColumn } from './column-table.ts';
import type { CsvOptions } from './read-options.ts';

/**
 * The lines of a CSV answer (docs/reference/records-and-documents.md#csv): three header lines, then a row per time, with
 * cells for every column.
 */
export function* csvText(
  table: ColumnTable,
  options: CsvOptions,
  timestamp: (ms: number) => string,
): Generator<string> {
  const { columns } = table;
  if (options.header) yield* csvHeader(columns, options);
  const { delimiter } = options;
  for (const { timeMs, indexes } of rowsOf(table)) {
    let row = timestamp(timeMs);
    for (let n = 0; n < columns.length; n += 1) {
      const column = columns[n];
      if (column) row += delimiter + cells(column, indexes[n] ?? -1, options);
    }
    yield `${row}\n`;
  }
}

/** Bytes of a row in which no column has anything: what a sparse table costs besides its records. */
export function emptyRowBytes(columns: number, options: CsvOptions): number {
  const { quality, qualityDelimiter, annotation, annotationDelimiter, delimiter } = options;
  const each = (placement: string, within: string) =>
    placement === 'NONE' ? '' : placement === 'SEPARATE_VALUE' ? delimiter : within;
  const cell = delimiter + each(quality, qualityDelimiter) + each(annotation, annotationDelimiter);
  return Buffer.byteLength(cell) * columns;
}

/** The three lines before the records. */
export function* csvHeader(columns: readonly Pick<TableColumn, 'view'>[], options: CsvOptions): Generator<string> {
  const { quality, qualityDelimiter, annotation, annotationDelimiter, delimiter, textQualifier } = options;
  const appended =
    (quality === 'DELIMITED_WITH_VALUE' ? `${qualityDelimiter}Quality` : '') +
    (annotation === 'DELIMITED_WITH_VALUE' ? `${annotationDelimiter}Annotation` : '');
  const own = [quality === 'SEPARATE_VALUE' && ' [Quality]', annotation === 'SEPARATE_VALUE' && ' [Annotation]'].filter(
    (suffix) => suffix !== false,
  );
  const line = (first: string, cellsOf: (node: TableColumn['view']['node']) => readonly string[]) => {
    const all = [first, ...columns.flatMap(({ view }) => cellsOf(view.node))];
    return `${all.map((cell) => qualified(cell, textQualifier)).join(delimiter)}\n`;
  };
  yield line('Id', ({ nodeId, name }) => [nodeId + appended, ...own.map((suffix) => name + suffix)]);
  yield line('Timestamp', ({ name }) => [name + appended, ...own.map((suffix) => name + suffix)]);
  yield line('Units', ({ series }) => [series.units + appended, ...own.map(() => '')]);
}

/**
 * Value, quality and annotation of a record, all empty where there is none (-1): parts delimited with the value stay in the value's cell, as in the header;
 * then the cells of its own, quality before annotation.
 */
function cells({ records, view }: TableColumn, index: number, options: CsvOptions): string {
  const { textQualifier, delimiter } = options;
  const { text, isText } = index < 0 ? NOTHING : view.csv(records, index);
  let value = isText ? qualified(text, textQualifier) : text;
  let own = '';
  if (options.quality !== 'NONE') {
    const code = records.qualities[index] ?? -1;
    const shown = code < 0 ? '' : String(code);
    if (options.quality === 'SEPARATE_VALUE') own += delimiter + shown;
    else value += options.qualityDelimiter + shown;
  }
  if (options.annotation !== 'NONE') {
    const annotation = records.annotations.get(index);
    const shown = annotation === undefined ? '' : qualified(annotation, textQualifier);
    if (options.annotation === 'SEPARATE_VALUE') own += delimiter + shown;
    else value += options.annotationDelimiter + shown;
  }
  return value + own;
}

const NOTHING = { text: '', isText: false } as const;

/** The qualifier inside a text is doubled. */
function qualified(text: string, qualifier: string): string {
  return qualifier === '' ? text : qualifier + text.replaceAll(qualifier, qualifier + qualifier) + qualifier;
}
