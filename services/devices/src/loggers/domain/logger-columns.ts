import { type Column, columnsOf, type Family, type Table } from '@catchment/pakbus';

/** The column of a table becomes a series. */
export type LoggerColumn = {
  /** Its place in the records. */
  readonly place: number;
  readonly series: string;
  /** A parameter that is created for the column has this name. */
  readonly name: string;
  readonly dataType: Family;
  readonly units: string;
};

/** Every logger has these tables: only columns that somebody has made a parameter for are read. */
const OF_THE_LOGGER = new Set(['Status', 'Public', 'DataTableInfo', 'CPIStatus']);

const isOwnTable = ({ name }: Table): boolean => OF_THE_LOGGER.has(name);

export const seriesOf = (table: string, column: string): string => `${table}.${column}`;

/**
 * Returns the columns of a table that are read.
 * @param parameters series of the source's active parameters
 * @param makesParameters the others are read too, and become parameters
 */
export function columnsToRead(
  table: Table,
  { parameters, makesParameters }: { parameters: ReadonlySet<string>; makesParameters: boolean },
): LoggerColumn[] {
  const takesAll = makesParameters && !isOwnTable(table);
  return columnsOf(table).flatMap((column, place) => {
    const read = columnOf(table.name, column, place);
    return read && (takesAll || parameters.has(read.series)) ? [read] : [];
  });
}

function columnOf(table: string, { name, type, field }: Column, place: number): LoggerColumn | undefined {
  const dataType = type?.as?.family;
  return dataType && { place, series: seriesOf(table, name), name: `${table} - ${name}`, dataType, units: field.units };
}

/** Returns columns that a table has and nobody can read: of types that are not published. */
export const unreadable = (table: Table): string[] =>
  columnsOf(table).flatMap(({ name, type }) => (type && !type.as ? [`${name} (${type.name})`] : []));
