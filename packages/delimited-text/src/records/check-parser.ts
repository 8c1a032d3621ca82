import { invalid } from '@catchment/errors';
import { UTC_ZONE } from '@catchment/time';
import { checkRowSettings } from '../rows/rows.ts';
import { checkMissing, NOTHING_MISSING } from '../values/missing.ts';
import type { Layout, ParserSettings, SeriesType } from './layout.ts';
import { cellReader, type ReadContext, timeReader } from './series-reader.ts';

const SERIES_TYPES: ReadonlySet<string> = new Set<SeriesType>(['NUMBER', 'BOOLEAN', 'TEXT', 'TIME', 'COORDINATES']);
const DEFAULTS: Layout = {
  kind: 'DELIMITED',
  delimiter: ',',
  textQualifier: '"',
  columnWidths: [],
  decimalSeparator: '.',
  match: 'SMART',
  format: 'COLUMN',
  headerLines: 0,
  width: undefined,
  labels: [],
  units: [],
  columns: [],
  rowSeries: [],
};

/**
 * Refuses what no file could be read with: delimiters, time formats and expressions that are none, joins that make no
 * value, columns of another format. A missing setting is no fault, it may come later.
 * @throws DomainError invalid_argument naming the part of the settings
 */
export function checkParser(settings: ParserSettings): void {
  const { delimiter, textQualifier, format, columns = [], rowSeries = [], missing = [] } = settings;
  checkRowSettings({ delimiter: delimiter ?? DEFAULTS.delimiter, textQualifier: textQualifier ?? '' });
  checkMissing(missing);
  const context: ReadContext = {
    layout: DEFAULTS,
    zone: UTC_ZONE,
    zoneOf: () => undefined,
    todayLocalMs: 0,
    missing: NOTHING_MISSING,
  };
  const isRows = format === 'ROW';
  for (const only of isRows ? ['RECORD_TIME', 'SERIES_ID', 'VALUE'] : ['RECORD_TIME']) {
    if (columns.filter(({ type }) => type === only).length > 1)
      throw invalid('INVALID_PARSER', `columns: only one may have the type ${only}`);
  }
  columns.forEach(({ index, type, joins }, n) => {
    const at = `columns[${n}]`;
    if (type === 'RECORD_TIME') timeReader(joins ?? [], index, at, context);
    else if (SERIES_TYPES.has(type)) {
      if (isRows) throw invalid('INVALID_PARSER', `${at}.type: ${type} is of the format COLUMN`);
      cellReader(type as SeriesType, joins, index, at, context);
    } else if (type !== 'DISABLED' && !isRows)
      throw invalid('INVALID_PARSER', `${at}.type: ${type} is of the format ROW`);
  });
  rowSeries.forEach(({ type, joins }, n) => {
    cellReader(type, joins, 0, `rowSeries[${n}]`, context);
  });
}
