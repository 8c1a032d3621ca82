import { invalid } from '@catchment/errors';
import type { JsonObject } from '../body/rule.ts';
import type { Rating } from './processing-attributes.ts';

/** Entries of a rating stand as a body has them, with their lines. */
type RatingLines = { readonly ratings: readonly JsonObject[]; readonly lines: readonly number[] };

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const BYTE_ORDER_MARK = /^\ufeff/;

/** Writes a line for each entry (docs/reference/processing-and-ratings.md#ratings-as-csv), in order of time, with numbers in full. */
export const ratingCsv = ({ ratings }: Pick<Rating, 'ratings'>): string =>
  ratings
    .map((entry) => {
      const [kind, cells] =
        'table' in entry
          ? ['table', entry.table.map(([input, result]) => `${input}:${result}`)]
          : ['polynomial', Object.entries(entry.coefficients).map(([letter, value]) => `${letter}:${value}`)];
      return `"${entry.startTime}","${kind}",${cells.join(',')}\n`;
    })
    .join('');

/**
 * Reads the entries of a file: what they have to be, the rules of the attribute `rating` say. Quotes may be left out, and lines be empty.
 * @throws DomainError invalid_argument with the line
 */
export function parseRatingCsv(text: string): RatingLines {
  const ratings: JsonObject[] = [];
  const lines: number[] = [];
  for (const [index, line] of text
    .replace(BYTE_ORDER_MARK, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === '') continue;
    ratings.push(entryOf(line, index + 1));
    lines.push(index + 1);
  }
  return { ratings, lines };
}

function entryOf(text: string, line: number): JsonObject {
  const ends = [text.indexOf(','), text.indexOf(',', text.indexOf(',') + 1)] as const;
  if (ends[0] < 0 || ends[1] <= ends[0])
    throw refused(line, 'must be a time, "table" or "polynomial", and what these consist of, separated by commas');
  const startTime = unquoted(text.slice(0, ends[0]));
  const cells = text.slice(ends[1] + 1).split(',');
  switch (unquoted(text.slice(ends[0] + 1, ends[1])).toLowerCase()) {
    case 'table':
      return { startTime, table: cells.map((cell, n) => rowOf(cell, n, line)) };
    case 'polynomial':
      return { startTime, equationType: 'POLYNOMIAL', coefficients: coefficientsOf(cells, line) };
    default:
      throw refused(line, 'must have "table" or "polynomial" after its time');
  }
}

function unquoted(field: string): string {
  const text = field.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Returns two parts with a colon between them; undefined where it is something else. */
function pairOf(cell: string): [string, string] | undefined {
  const colon = cell.indexOf(':');
  return colon < 0 ? undefined : [cell.slice(0, colon).trim(), cell.slice(colon + 1).trim()];
}

function rowOf(cell: string, index: number, line: number): [number, number] {
  const [input = '', result = ''] = pairOf(cell) ?? [];
  if (!NUMBER.test(input) || !NUMBER.test(result))
    throw refused(line, `must have <input>:<result> such as 0.5:40 in row ${index + 1} of its table`);
  return [Number(input), Number(result)];
}

function coefficientsOf(cells: readonly string[], line: number): Record<string, number> {
  const coefficients: Record<string, number> = {};
  for (const [index, cell] of cells.entries()) {
    const [name = '', value = ''] = pairOf(cell) ?? [];
    const letter = name.toLowerCase();
    if (!/^[a-z]$/.test(letter) || !NUMBER.test(value))
      throw refused(line, `must have <letter>:<number> such as a:1.1 as coefficient ${index + 1}`);
    if (Object.hasOwn(coefficients, letter)) throw refused(line, `must have coefficient ${letter} only once`);
    coefficients[letter] = Number(value);
  }
  return coefficients;
}

const refused = (line: number, rule: string) => invalid('INVALID_ROW', `line ${line}: ${rule}`);
