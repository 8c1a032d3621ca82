import type { SeriesView } from '../../columns/index.ts';
import type { Answer, Pieces } from './answer.ts';
import { rowsOf } from './column-table.ts';
import { BYTE_ORDER_MARK, csvCell, writerOf } from './csv-text.ts';

const NAMES = ['time', 'node', 'name', 'value', 'units', 'quality', 'annotation'];

/**
 * Yields CSV with a line for each record (docs/reference/formats.md#csv-in-long-form).
 * @throws DomainError invalid_argument at a line that needs a text qualifier where none is wanted
 */
export function* longCsvPieces({ table, query: { csv } }: Answer, print: (ms: number) => string): Pieces {
  const { delimiter } = csv;
  const write = writerOf(csv);
  if (csv.byteOrderMark) yield BYTE_ORDER_MARK;
  if (csv.header) yield `${NAMES.join(delimiter)}\n`;
  const around = table.columns.map(({ view: { node } }) => ({
    before: `${delimiter}${node.nodeId}${delimiter}${write.text(node.name)}${delimiter}`,
    after: `${delimiter}${write.text(node.series.units)}${delimiter}`,
  }));
  for (const { timeMs, indexes } of rowsOf(table)) {
    const time = write.plain(print(timeMs));
    for (const [n, { records, view }] of table.columns.entries()) {
      const [index, frame] = [indexes[n] ?? -1, around[n]];
      if (index < 0 || !frame) continue;
      const value = csvCell(view, records, index, csv);
      const shown = value.isText ? write.text(value.text) : write.plain(value.text);
      const quality = records.qualities[index] ?? -1;
      const annotation = records.annotations.get(index);
      const rest = `${quality < 0 ? '' : quality}${delimiter}${annotation === undefined ? '' : write.text(annotation)}`;
      yield `${time}${frame.before}${shown}${frame.after}${rest}\n`;
    }
  }
}

/** Counts the bytes of the node that every line repeats. */
export const longRecordBytes = ({ node }: SeriesView): number =>
  Buffer.byteLength(node.nodeId + node.name + node.series.units) + NAMES.length;
