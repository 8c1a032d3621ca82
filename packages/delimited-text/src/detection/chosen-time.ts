import { invalid } from '@catchment/errors';
import type { Row } from '../rows/rows.ts';
import type { Header } from './known-headers.ts';
import type { TimeColumns } from './time-columns.ts';

/** Labels are looked for in this many lines from the top. */
const LABEL_LINES = 50;

/** Returns the columns of the time that the caller chose. @throws DomainError invalid_argument where no line has such labels */
export function chosenTime(
  chosen: readonly string[],
  rows: readonly Row[],
  header: Header | undefined,
): TimeColumns & { readonly labelsLine: number } {
  const places = header
    ? [{ line: header.headerLines, labels: header.labels }]
    : rows.slice(0, LABEL_LINES).map(({ line, fields }) => ({ line, labels: fields.map((field) => field.trim()) }));
  for (const { line, labels } of places) {
    const joins = chosen.map((text) => joinOf(text, labels));
    const isByNumber = joins.every((join) => join?.isByNumber);
    if (joins.every((join) => join !== undefined)) {
      const [first] = joins;
      return {
        index: first?.column ?? 0,
        joins: joins.map(({ isByNumber: _, ...join }) => join),
        labelsLine: header || !isByNumber ? line : 0,
      };
    }
  }
  throw invalid('NO_TIME', `file: has no line with the columns ${chosen.join(', ').slice(0, 200)}`);
}

/** `hour:H`: the label is as long as it can be, so that labels and formats may both have colons. */
function joinOf(
  text: string,
  labels: readonly string[],
): { column: number; field: 'TIME'; format?: string; isByNumber: boolean } | undefined {
  for (let end = text.length; end > 0; end = text.lastIndexOf(':', end - 1)) {
    const name = text.slice(0, end).trim();
    const byLabel = labels.indexOf(name);
    const column = byLabel >= 0 ? byLabel : /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1;
    const format = text.slice(end + 1).trim();
    if (column >= 0 && column < labels.length) {
      return { column, field: 'TIME', ...(format && { format }), isByNumber: byLabel < 0 };
    }
  }
  return undefined;
}
