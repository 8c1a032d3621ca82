import { UNDECODABLE } from '../rows/decode.ts';
/** Types of series (docs/reference/acquisition.md#text-parser). */
export type SeriesType = 'NUMBER' | 'BOOLEAN' | 'TEXT' | 'TIME' | 'COORDINATES';
/** DISABLED columns are not read; SERIES_ID and VALUE are of the format ROW. */
type ColumnType = SeriesType | 'RECORD_TIME' | 'DISABLED' | 'SERIES_ID' | 'VALUE';
type JoinField =
  | 'NUMBER'
  | 'TEXT'
  | 'BOOLEAN'
  | 'TIME'
  | 'LATITUDE'
  | 'LONGITUDE'
  | 'QUALITY'
  | 'SEPARATOR'
  | 'TIMEZONE';
type JoinFilter = 'INCLUDE_RECORD' | 'EXCLUDE_RECORD' | 'INCLUDE_FIELD' | 'EXCLUDE_FIELD';

/** A column's value is made of such fields. */
export interface Join {
  /** The first column is 0; absent for the column that has the join. */
  readonly column?: number;
  readonly field: JoinField;
  /**
   * TIME: tokens in docs/reference/time.md#format-tokens; SEPARATOR: the text between two fields; others: what `filter`
   * compares, or `/regex/`.
   */
  readonly format?: string;
  readonly filter?: JoinFilter;
}

export interface ColumnSettings {
  /** The first column is 0. */
  readonly index: number;
  readonly type: ColumnType;
  /** The series has this key; absent = the column's label, or its number. */
  readonly series?: string;
  readonly joins?: readonly Join[];
}

interface RowSeriesSettings {
  readonly seriesId: string;
  readonly type: SeriesType;
  readonly joins?: readonly Join[];
}

/** The `parser` of a text source is stored like this: absent parts have the defaults in docs/reference/acquisition.md#text-parser. */
export interface ParserSettings {
  readonly delimiter?: string;
  readonly format?: 'COLUMN' | 'ROW';
  readonly labelsRow?: number;
  readonly unitsRow?: number;
  /** Lines before this one are no data. */
  readonly dataRow?: number;
  /** Fixed columns replace delimited ones: each has this many characters, from the beginning of the line. */
  readonly columnWidths?: readonly number[];
  readonly decimalSeparator?: '.' | ',';
  readonly textQualifier?: string;
  readonly encoding?: 'UTF-8' | 'ISO-8859-1' | 'windows-1252' | 'UTF-16LE' | 'UTF-16BE';
  readonly match?: 'SMART' | 'STRICT';
  readonly successRequired?: number;
  /** Words and codes that mean no value, such as `Ice` and `-9999`. */
  readonly missing?: readonly string[];
  readonly columns?: readonly ColumnSettings[];
  readonly rowSeries?: readonly RowSeriesSettings[];
}

/** TOA5: Campbell loggers. RDB: USGS. CATCHMENT: CSV of `GET …/historic`. */
export type TextKind = 'TOA5' | 'RDB' | 'CATCHMENT' | 'DELIMITED';

/** A layout has the settings of a file, completed from its head. */
export interface Layout {
  readonly kind: TextKind;
  readonly delimiter: string;
  readonly textQualifier: string;
  /** Empty: fields are delimited. */
  readonly columnWidths: readonly number[];
  readonly decimalSeparator: '.' | ',';
  readonly match: 'SMART' | 'STRICT';
  readonly format: 'COLUMN' | 'ROW';
  /** Lines up to this one, from 1, are not data. */
  readonly headerLines: number;
  /** Every line has this many fields, where the header settles it; undefined = any. */
  readonly width: number | undefined;
  /** Labels and units were found here, from 1; undefined = nowhere, or the settings do not say. */
  readonly labelsRow?: number | undefined;
  readonly unitsRow?: number | undefined;
  /** Columns have these labels; '' where there is none. */
  readonly labels: readonly string[];
  readonly units: readonly string[];
  readonly columns: readonly ColumnSettings[];
  readonly rowSeries: readonly RowSeriesSettings[];
}

/** Returns the name of a column: its label, or its number from 1 where it has none that could be decoded. */
export const labelOf = ({ labels }: Pick<Layout, 'labels'>, index: number): string => {
  const label = labels[index] ?? '';
  return label === '' || label.includes(UNDECODABLE) ? `Column ${index + 1}` : label;
};
