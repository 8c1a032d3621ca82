import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/reference');

/**
 * Reads the rows of a table of docs/reference, for tests that compare them with the code.
 * @param header the line of the table's header, as it stands
 * @returns cells without their backticks; `\\|` in a cell is `|`
 * @throws Error when the page has no such table
 */
export function referenceRows(page: string, header: string): string[][] {
  const lines = readFileSync(path.join(FOLDER, page), 'utf8').split('\n');
  const from = lines.indexOf(header) + 2;
  const after = lines.findIndex((line, index) => index >= from && !line.startsWith('|'));
  const rows = lines.slice(from, after).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) =>
        cell
          .trim()
          .replace(/^`(.*)`$/, '$1')
          .replaceAll('\\|', '|'),
      ),
  );
  if (from < 2 || rows.length === 0) throw new Error(`${page} has no table ${header}`);
  return rows;
}
