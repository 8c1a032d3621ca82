// A text is read in steps: bytes become rows (rows/), the layout is proposed where no parser names it (detection/), fields become values
// (values/) and times (times/), and rows become records (records/). JTS is read by itself (jts/).
export { noDataAfter } from './detection/detect-layout.ts';
export { type Proposal, proposeParser } from './detection/propose-parser.ts';
export { jtsColumns, jtsEntry } from './jts/jts.ts';
export {
  type JtsRow,
  jtsRow,
  jtsSeries,
  jtsTime,
  looksLikeJson,
  openJts,
} from './jts/jts-stream.ts';
export { checkParser } from './records/check-parser.ts';
export {
  type ColumnSettings,
  type Join,
  type Layout,
  labelOf,
  type ParserSettings,
  type SeriesType,
} from './records/layout.ts';
export { type OpenedText, openText, type TextOptions } from './records/open-text.ts';
export type { TextRecord } from './records/read-records.ts';
export type { Cell } from './records/series-reader.ts';
export { emptyReport, type Failure, failureText, type TextReport } from './records/text-report.ts';
export { FileTimes, instantsOf, type Settled } from './times/file-times.ts';
export { type TimedRow, tableClock } from './times/repeated-hour.ts';
