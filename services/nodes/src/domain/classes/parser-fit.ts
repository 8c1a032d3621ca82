import type { ColumnSettings, ParserSettings } from '@catchment/delimited-text';
import { invalid } from '@catchment/errors';
import { COLUMNS_MAX } from '@catchment/ids';

const refuse = (rule: string) => invalid('INVALID_PARSER', rule);
const isSeries = ({ type }: ColumnSettings): boolean =>
  !['RECORD_TIME', 'DISABLED', 'SERIES_ID', 'VALUE'].includes(type);

/**
 * Refuses settings by which each file can be read but not stored (docs/reference/acquisition.md#text-parser).
 * @throws DomainError invalid_argument naming the part of the settings
 */
export function checkParserFits({ columns = [], rowSeries = [], columnWidths = [] }: ParserSettings): void {
  const series = columns.filter(isSeries);
  if (series.length > COLUMNS_MAX)
    throw refuse(`columns: at most ${COLUMNS_MAX} may be series, not ${series.length}; the others may be DISABLED`);
  if (rowSeries.length > COLUMNS_MAX)
    throw refuse(`rowSeries: at most ${COLUMNS_MAX} may be listed, not ${rowSeries.length}`);
  const places = new Map<string, number>();
  columns.forEach((column, n) => {
    const { index, series: key, joins = [] } = column;
    if (key && isSeries(column)) {
      const first = places.get(key);
      if (first !== undefined)
        throw refuse(`columns[${n}].series: is that of columns[${first}] too; each column is a series of its own`);
      places.set(key, n);
    }
    if (columnWidths.length === 0 || column.type === 'DISABLED') return;
    const beyond = `must be below ${columnWidths.length}, the number of columnWidths`;
    if (index >= columnWidths.length) throw refuse(`columns[${n}].index: ${beyond}`);
    joins.forEach((join, m) => {
      if ((join.column ?? index) >= columnWidths.length) throw refuse(`columns[${n}].joins[${m}].column: ${beyond}`);
    });
  });
}
