import type { Column } from './columns.ts';

/** Writes a table for spreadsheets that paste: tabs and line breaks within a cell would make new ones. */
export const tsvOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  table(columns, rows)
    .map((cells) => cells.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');

/** RFC 4180. A text that a spreadsheet would take for a formula is shown as the text that it is. */
export const csvOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  `${table(columns, rows)
    .map((cells) => cells.map(csvCell).join(','))
    .join('\r\n')}\r\n`;

function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[][] {
  return [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
}

function csvCell(text: string): string {
  const isNumber = /^[-+]?[\d.,\s]+(?:e[-+]?\d+)?$/i.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
