// A text is read in steps: bytes become rows (rows/), the layout is proposed where no parser names it (detection/), fields become values
// (values/) and times (times/), and rows become records (records/). JTS is read by itself (jts/).
export { noDataAfter } from './detection/detect-layout.ts';
export { type Proposal, proposeParser, type Reading } from './detection/propose-parser.ts';
export { jtsColumns, jtsEntry } from './jts/jts.ts';
export {
  type JtsEntry,
  type JtsRow,
  type JtsStream,
  jtsRow,
  jtsSeries,
  jtsTime,
  looksLikeJson,
  openJts,
} from './jts/jts-stream.ts';
export { checkParser } from './records/check-parser.ts';
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
} from './records/layout.ts';
export type { TextSeries } from './records/line-reader.ts';
export { type OpenedText, openText, type TextOptions, type TextPart } from './records/open-text.ts';
export type { TextRecord } from './records/read-records.ts';
export type { Cell, CellValue } from './records/series-reader.ts';
export { emptyReport, type Failure, failureText, type Guess, type TextReport } from './records/text-report.ts';
export { type DecodeOptions, ENCODINGS, type Encoding, type FoundEncoding } from './rows/decode.ts';
export { ROW_CHARACTERS_MAX, type Row, type RowSettings, readRows } from './rows/rows.ts';
export { FileTimes, instantsOf, type Settled } from './times/file-times.ts';
export { type TableClock, type TimedRow, tableClock } from './times/repeated-hour.ts';
export type { TimeParts, TimePattern } from './times/time-pattern.ts';
export type { ResolvedTime } from './times/time-resolve.ts';
export type { FieldMatch } from './values/field-match.ts';
export { readBoolean } from './values/field-values.ts';
export { readNumber } from './values/numbers.ts';
