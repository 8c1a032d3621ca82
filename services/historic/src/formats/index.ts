export type { Answer, Pieces, Site } from './domain/answer.ts';
export { type ColumnTable, columnTable } from './domain/column-table.ts';
export { csvHeader, csvText, emptyRowBytes } from './domain/csv-text.ts';
export { checkColumns, FORMS } from './domain/forms.ts';
export { JTS_END, jtsHead, jtsRows, jtsText, type ShownHead } from './domain/jts-text.ts';
export { longCsvPieces, longRecordBytes } from './domain/long-csv.ts';
