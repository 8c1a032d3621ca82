import {
  areSignsBare,
  type CellWriter,
  type CsvOptions,
  cellWriter,
  needsQualifier,
  type SeriesView,
} from '../../columns/index.ts';
import type { RecordSet } from '../../records/index.ts';
import { type ColumnTable, rowsOf, type TableColumn } from './column-table.ts';

/**
 * Yields the lines of a CSV answer (docs/reference/records-and-documents.md#csv): three header lines, then a row per time,
 * with cells for every column.
 * @param isIso whether timestamps are ISO times
 * @throws DomainError invalid_argument at a line that needs a text qualifier where none is wanted
 */
export function* csvText(
  table: ColumnTable,
  options: CsvOptions,
  timestamp: (ms: number) => string,
  isIso = false,
): Generator<string> {
  const { columns } = table;
  if (options.byteOrderMark) yield BYTE_ORDER_MARK;
  if (options.header) yield* csvHeader(columns, options);
  const { delimiter } = options;
  const write = writerOf(options);
  const bare: CellWriter = { ...write, plain: (text) => text };
  const areBare = areSignsBare(options);
  const writers = columns.map(({ view }) => (areBare && hasSignsOnly(view, options) ? bare : write));
  const { plain } = areBare && isIso ? bare : write;
  for (const { timeMs, indexes } of rowsOf(table)) {
    let row = plain(timestamp(timeMs));
    for (let n = 0; n < columns.length; n += 1) {
      const column = columns[n];
      if (column) row += delimiter + cells(column, indexes[n] ?? -1, options, writers[n] ?? write);
    }
    yield `${row}\n`;
  }
}

/** Returns whether cells of a column that are no texts hold nothing but signs of numbers and times. */
const hasSignsOnly = ({ isOfSigns }: SeriesView, { quality, annotation }: CsvOptions): boolean =>
  isOfSigns && quality !== 'DELIMITED_WITH_VALUE' && annotation !== 'DELIMITED_WITH_VALUE';

/** Counts bytes of a row in which no column has anything: what a sparse table costs besides its records. */
export function emptyRowBytes(columns: number, options: CsvOptions): number {
  const { quality, qualityDelimiter, annotation, annotationDelimiter, delimiter, textQualifier } = options;
  const each = (placement: string, size: string, is: string) => (placement === is ? size : '');
  const apart = each(quality, delimiter, 'SEPARATE_VALUE') + each(annotation, delimiter, 'SEPARATE_VALUE') + delimiter;
  const within =
    each(quality, qualityDelimiter, 'DELIMITED_WITH_VALUE') +
    each(annotation, annotationDelimiter, 'DELIMITED_WITH_VALUE');
  const around = needsQualifier(options)(within) ? textQualifier.repeat(2) : '';
  return Buffer.byteLength(apart + within + around) * columns;
}

/** Yields the three lines before the records. @throws DomainError invalid_argument as `csvText` */
export function* csvHeader(columns: readonly Pick<TableColumn, 'view'>[], options: CsvOptions): Generator<string> {
  const { quality, qualityDelimiter, annotation, annotationDelimiter, delimiter } = options;
  const write = writerOf(options);
  const appended =
    (quality === 'DELIMITED_WITH_VALUE' ? `${qualityDelimiter}Quality` : '') +
    (annotation === 'DELIMITED_WITH_VALUE' ? `${annotationDelimiter}Annotation` : '');
  const suffixes = [
    quality === 'SEPARATE_VALUE' && ' [Quality]',
    annotation === 'SEPARATE_VALUE' && ' [Annotation]',
  ].filter((suffix) => suffix !== false);
  const line = (first: string, cellsOf: (node: TableColumn['view']['node']) => readonly string[]) => {
    const all = [first, ...columns.flatMap(({ view }) => cellsOf(view.node))];
    return `${all.map(write.text).join(delimiter)}\n`;
  };
  yield line('Id', ({ nodeId, name }) => [nodeId + appended, ...suffixes.map((suffix) => name + suffix)]);
  yield line('Timestamp', ({ name }) => [name + appended, ...suffixes.map((suffix) => name + suffix)]);
  yield line('Units', ({ series }) => [series.units + appended, ...suffixes.map(() => '')]);
}

/**
 * Value, quality and annotation of a record, all empty where there is none (-1): parts delimited with the value stay in the value's cell, as in the
 * header, and in its qualifiers where any of them is a text; then the cells of its own, quality before annotation.
 */
function cells({ records, view }: TableColumn, index: number, options: CsvOptions, write: CellWriter): string {
  const { delimiter } = options;
  let { text, isText } = index < 0 ? NOTHING : csvCell(view, records, index, options);
  let apart = '';
  if (options.quality !== 'NONE') {
    const code = records.qualities[index] ?? -1;
    const shown = code < 0 ? '' : String(code);
    if (options.quality === 'SEPARATE_VALUE') apart += delimiter + write.plain(shown);
    else text += options.qualityDelimiter + shown;
  }
  if (options.annotation !== 'NONE') {
    const annotation = records.annotations.get(index);
    if (options.annotation === 'SEPARATE_VALUE')
      apart += delimiter + (annotation === undefined ? '' : write.text(annotation));
    else {
      text += options.annotationDelimiter + (annotation ?? '');
      isText ||= annotation !== undefined;
    }
  }
  return (isText ? write.text(text) : write.plain(text)) + apart;
}

/** Returns the value of a record as it is printed; texts are put into qualifiers. */
export function csvCell(
  view: SeriesView,
  records: RecordSet,
  index: number,
  { decimalSeparator }: CsvOptions,
): { readonly text: string; readonly isText: boolean } {
  const value = view.csv(records, index);
  const isNumber = !value.isText && (view.dataType === 'NUMBER' || view.dataType === 'COORDINATES');
  return isNumber && decimalSeparator === ',' ? { text: withDecimalComma(value.text), isText: false } : value;
}

export const BYTE_ORDER_MARK = '\uFEFF';
/** Spreadsheets take a text that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes texts so that no spreadsheet computes them, where that is wanted. */
export function writerOf(options: CsvOptions): CellWriter {
  const write = cellWriter(options);
  if (!options.formulaGuard) return write;
  return { ...write, text: (text) => write.text(FORMULA.test(text) ? `'${text}` : text) };
}

/** Commas of groups become points. */
const withDecimalComma = (number: string): string =>
  number.replace(/[.,](?=\d)/g, (sign) => (sign === '.' ? ',' : '.'));

const NOTHING = { text: '', isText: false } as const;
