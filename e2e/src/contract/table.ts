import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NO_TABLES = ['README.md', 'every-operation.md'];

/** A line of a table has a request and its answer, as e2e/contract/README.md explains. */
export type Row = {
  readonly file: string;
  readonly line: number;
  readonly method: string;
  /** Below /api/v1, with the query. */
  readonly path: string;
  /** A header of the request is `Name: value`; empty where the request has only those of every request. */
  readonly header: string;
  /** The key has this name; `admin` where the cell is empty. */
  readonly key: string;
  readonly body: string;
  readonly status: number;
  readonly answers: readonly string[];
};

/** A table has the rows of one file, in their order. */
export type Table = { readonly file: string; readonly rows: readonly Row[] };

/** Reads the tables in the Markdown files of a folder of the repository, such as `e2e/contract`. */
export function readTables(folder: string): readonly Table[] {
  return readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith('.md') && !NO_TABLES.includes(file))
    .map((file) => ({ file, rows: rowsOf(file, readFileSync(path.join(ROOT, folder, file), 'utf8')) }));
}

function rowsOf(file: string, text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const [request = '', key = '', body = '', status = '', answer = ''] = line
      .replace(/^\| ?/, '')
      .replace(/ ?\|$/, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, method = '', target = '', header = ''] =
      /^(GET|HEAD|OPTIONS|POST|PUT|DELETE|PATCH) (\/.*?)(?: with ([\w-]+: .+))?$/.exec(request) ?? [];
    if (!line.startsWith('|') || method === '') return [];
    const answers = answer
      .split(' && ')
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '');
    const code = Number(status);
    if (!Number.isInteger(code) || code < 200) throw new Error(`${file}:${index + 1}: ${status} is no status`);
    return [{ file, line: index + 1, method, path: target, header, key: key || 'admin', body, status: code, answers }];
  });
}

/** Title of a row's test. */
export function titleOf({ line, method, path, header, key, body, status }: Row): string {
  const asked = [
    `${method} ${path}`,
    ...(header ? [`with ${header}`] : []),
    ...(key === 'admin' ? [] : [`by ${key}`]),
    body,
  ]
    .join(' ')
    .trim();
  return `line ${line}: ${asked.length > 150 ? `${asked.slice(0, 150)}…` : asked} is ${status}`;
}
