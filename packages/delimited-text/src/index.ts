export { checkParser } from './check-parser.ts';
export { type DecodeOptions, ENCODINGS, type Encoding, type FoundEncoding } from './decode.ts';
export { noDataAfter } from './detect-layout.ts';
export type { FieldMatch } from './field-match.ts';
export { readBoolean } from './field-values.ts';
export { FileTimes, instantsOf, type Settled } from './file-times.ts';
export { jtsColumns, jtsEntry } from './jts.ts';
export {
  type JtsEntry,
  type JtsRow,
  type JtsStream,
  jtsRow,
  jtsSeries,
  jtsTime,
  looksLikeJson,
  openJts,
} from './jts-stream.ts';
export {
  type ColumnSettings,
  type ColumnType,
  type Join,
  type Layout,
  labelOf,
  type ParserSettings,
  type RowSeriesSettings,
  type SeriesType,
  type TextKind,
} from './layout.ts';
export type { TextSeries } from './line-reader.ts';
export { readNumber } from './numbers.ts';
export { type OpenedText, openText, type TextOptions, type TextPart } from './open-text.ts';
export { type Proposal, proposeParser, type Reading } from './propose-parser.ts';
export type { TextRecord } from './read-records.ts';
export { type TableClock, type TimedRow, tableClock } from './repeated-hour.ts';
export { ROW_CHARACTERS_MAX, type Row, type RowSettings, readRows } from './rows.ts';
export type { Cell, CellValue } from './series-reader.ts';
export { emptyReport, type Failure, failureText, type Guess, type TextReport } from './text-report.ts';
export type { TimeParts, TimePattern } from './time-pattern.ts';
export type { ResolvedTime } from './time-resolve.ts';
