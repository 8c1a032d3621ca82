import { type ColumnSettings, type Join, type Layout, labelOf, type SeriesType } from '@catchment/delimited-text';

/** A person chooses columns of a file by their labels or their numbers from 1. */
export type ColumnChoice = {
  /** A choice is `<column>` or `<column>=<series>`; none = all that the file has. */
  readonly columns: readonly string[];
  /** `<column>=<text>` or `<column>=/regex/` keeps only such lines. */
  readonly where: readonly string[];
  /** Parameters that are there already have these types, by series key or name. */
  readonly knownTypes: ReadonlyMap<string, SeriesType>;
  /** The one parameter that is written to has this type. */
  readonly ownType: SeriesType | undefined;
};

/** @throws Error naming a column that the file does not have */
export function chooseColumns(layout: Layout, { columns, where, knownTypes, ownType }: ColumnChoice): Layout {
  const keys = new Map(columns.map((text) => columnOf(layout, text)));
  const filters = where.map((text): Join => {
    const [column, format] = columnOf(layout, text);
    if (!format) throw new Error(`--where ${text}: must be <column>=<text>`);
    return { column, field: 'TEXT', format, filter: 'INCLUDE_RECORD' };
  });
  const chosen = layout.columns.map((column): ColumnSettings => {
    const { index, type } = column;
    if (type === 'RECORD_TIME') return { ...column, joins: [...(column.joins ?? []), ...filters] };
    if (columns.length > 0 && !keys.has(index)) return { index, type: 'DISABLED' };
    if (type === 'DISABLED' && !keys.has(index)) return column;
    const series = keys.get(index) || labelOf(layout, index);
    return { ...typed(column, knownTypes.get(series) ?? ownType), series };
  });
  return { ...layout, columns: chosen };
}

/** A chosen column that is no series, such as a counter of records, is a number. */
function typed(column: ColumnSettings, known: SeriesType | undefined): ColumnSettings {
  const type = column.type === 'DISABLED' ? 'NUMBER' : column.type;
  if (known === undefined || known === type || (known === 'NUMBER' && type === 'BOOLEAN')) return { ...column, type };
  return { index: column.index, type: known };
}

/** Splits index and what follows `=`; a label may have one itself. */
function columnOf(layout: Layout, text: string): [number, string] {
  for (let end = text.length; end > 0; end = text.lastIndexOf('=', end - 1)) {
    const name = text.slice(0, end).trim();
    const byLabel = layout.labels.indexOf(name);
    const index = byLabel >= 0 ? byLabel : /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1;
    if (layout.columns.some((column) => column.index === index)) return [index, text.slice(end + 1).trim()];
  }
  const labels = layout.columns.map(({ index }) => labelOf(layout, index)).join(', ');
  throw new Error(`The file has no column ${text}. It has: ${labels.slice(0, 1000)}`);
}
