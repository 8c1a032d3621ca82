import { columnsOf, type Table } from '@catchment/pakbus';
import { seriesOf } from './logger-columns.ts';

/** Fields have a table before them; series of something else, such as a modem's status, stay as they are. */
const isField = (series: string): boolean => series.includes('.');

/** Returns which parameters become inactive because the logger has their fields no more, and which are active again. */
export function activityChange(
  parameters: readonly { readonly series: string; readonly isActive: boolean }[],
  tables: readonly Table[],
): { active: string[]; inactive: string[] } {
  const fields = new Set(tables.flatMap((table) => columnsOf(table).map(({ name }) => seriesOf(table.name, name))));
  const seriesThat = (isWanted: (parameter: { series: string; isActive: boolean }) => boolean) =>
    parameters.filter((parameter) => isField(parameter.series) && isWanted(parameter)).map(({ series }) => series);
  return {
    active: seriesThat(({ series, isActive }) => !isActive && fields.has(series)),
    inactive: seriesThat(({ series, isActive }) => isActive && !fields.has(series)),
  };
}
