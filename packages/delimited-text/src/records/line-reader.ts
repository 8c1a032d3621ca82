import { invalid } from '@catchment/errors';
import { type Join, type Layout, labelOf, type SeriesType } from './layout.ts';
import { type CellReader, cellReader, type ReadContext, timeReader } from './series-reader.ts';

export interface TextSeries {
  /** Key of historic writes (docs/reference/writing.md#data-source-writes): unique in the file. */
  readonly key: string;
  readonly type: SeriesType;
  /** '' where the file has none. */
  readonly units: string;
}

/** Reads a series of a line. */
export type SeriesReader = {
  readonly read: CellReader;
  readonly column: number;
  /** A field that cannot be read is not this: `is no number`. */
  readonly refusal: string;
  /** A line without a value of it may be of another logger. */
  readonly isFiltered: boolean;
};
/** Reads the time and the series of a line. */
export type LineReader = {
  readonly time: ReturnType<typeof timeReader>;
  readonly timeColumn: number;
  readonly timeRefusal: string;
  /** This column names the zone of a line. */
  readonly zoneColumn: number | undefined;
  /** Returns the series of a line, by their place; undefined: the line is of none. */
  readonly seriesOf: (fields: readonly string[]) => {
    readonly first: number;
    readonly readers: readonly SeriesReader[];
  };
  readonly count: number;
  /** Columns that name the logger or station of a line. */
  readonly loggerColumns: readonly number[];
};

export function compile(context: ReadContext): { series: readonly TextSeries[]; read: LineReader } {
  const { layout } = context;
  const times = layout.columns.filter(({ type }) => type === 'RECORD_TIME');
  const [timeColumn] = times;
  if (times.length !== 1 || !timeColumn) {
    throw invalid('INVALID_PARSER', 'parser.columns: exactly one must have the type RECORD_TIME');
  }
  const at = (index: number) => `parser.columns[${layout.columns.findIndex((column) => column.index === index)}]`;
  const time = timeReader(timeColumn.joins ?? [], timeColumn.index, at(timeColumn.index), context);
  const zoneJoin = timeColumn.joins?.find(({ field }) => field === 'TIMEZONE');
  const base = {
    time,
    timeColumn: timeColumn.index,
    timeRefusal: refusalOf('TIME', timeColumn.joins),
    zoneColumn: zoneJoin && (zoneJoin.column ?? timeColumn.index),
    loggerColumns: loggerColumns(layout),
  };
  return layout.format === 'ROW' ? compileRows(context, base) : compileColumns(context, base, at);
}

type Base = Pick<LineReader, 'time' | 'timeColumn' | 'timeRefusal' | 'zoneColumn' | 'loggerColumns'>;

const LOGGER_LABEL =
  /^(?:agency|site|station|stn|logger|device|node|sensor|location|origin|serial)(?:[ _-]?(?:cd|no|nr|id|name|code|number))?\.?$/i;
/** Columns whose labels name the logger; in an RDB file these are agency and site. */
const loggerColumns = ({ labels, columns }: Layout): number[] =>
  labels.flatMap((label, index) =>
    LOGGER_LABEL.test(label) && columns.every((column) => column.index !== index || column.type !== 'RECORD_TIME')
      ? [index]
      : [],
  );

function compileColumns(context: ReadContext, base: Base, at: (index: number) => string) {
  const { layout } = context;
  const readers: SeriesReader[] = [];
  const series: TextSeries[] = [];
  for (const { index, type, series: key, joins } of layout.columns) {
    if (type === 'RECORD_TIME' || type === 'DISABLED') continue;
    if (type === 'SERIES_ID' || type === 'VALUE') {
      throw invalid('INVALID_PARSER', `${at(index)}.type: ${type} is of the format ROW`);
    }
    const read = cellReader(type, joins, index, at(index), context);
    readers.push({ read, column: index, refusal: refusalOf(type, joins), isFiltered: isFiltered(joins) });
    series.push({ key: key || labelOf(layout, index), type, units: layout.units[index] ?? '' });
  }
  checkKeys(series);
  const all = { first: 0, readers };
  return { series, read: { ...base, seriesOf: () => all, count: readers.length } };
}

function compileRows(context: ReadContext, base: Base) {
  const { columns, rowSeries } = context.layout;
  const only = (type: string) => {
    const [found, second] = columns.filter((column) => column.type === type);
    if (!found || second) throw invalid('INVALID_PARSER', `parser.columns: exactly one must have the type ${type}`);
    return found.index;
  };
  const [idColumn, valueColumn] = [only('SERIES_ID'), only('VALUE')];
  const places = new Map(
    rowSeries.map(({ seriesId, type, joins }, n) => {
      const read = cellReader(type, joins, valueColumn, `parser.rowSeries[${n}]`, context);
      const reader = { read, column: valueColumn, refusal: refusalOf(type, joins), isFiltered: isFiltered(joins) };
      return [seriesId, { first: n, readers: [reader] }] as const;
    }),
  );
  const series = rowSeries.map(({ seriesId, type }): TextSeries => ({ key: seriesId, type, units: '' }));
  checkKeys(series);
  const none = { first: 0, readers: [] };
  const seriesOf = (fields: readonly string[]) => places.get(fields[idColumn]?.trim() ?? '') ?? none;
  return { series, read: { ...base, seriesOf, count: series.length } };
}

function checkKeys(series: readonly TextSeries[]): void {
  if (series.length === 0) throw invalid('NO_SERIES', 'file: has no column for a series beside its times');
  const seen = new Set<string>();
  for (const { key } of series) {
    if (seen.has(key)) throw invalid('SERIES_TWICE', `file: two columns are of the series '${key.slice(0, 40)}'`);
    seen.add(key);
  }
}

const isFiltered = (joins: readonly Join[] = []): boolean => joins.some(({ filter }) => filter !== undefined);

const REFUSALS = {
  NUMBER: 'is no number',
  BOOLEAN: 'is no truth value such as TRUE, 0 or OFF',
  TEXT: 'has more than 10000 characters, or one that cannot be kept',
  COORDINATES: 'are no coordinates',
} as const;

/** Returns what a field is not that cannot be read as its type. */
function refusalOf(type: SeriesType, joins: readonly Join[] = []): string {
  if (type !== 'TIME') return REFUSALS[type];
  const formats = joins.flatMap(({ field, format }) => (field === 'TIME' && format ? [format] : []));
  return formats.length === 0
    ? 'is no time such as 2026-05-31 23:59:59'
    : `is no time of the form ${formats.join(' ')}`;
}
