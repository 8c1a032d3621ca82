import type { Operation } from '../open-api.ts';
import type { Row } from './table.ts';

/** These arguments take any text: a wrong one gives less, never an error. */
const CANNOT_BE_WRONG = ['attr', 'timeFormat', 'qualityDelimiter', 'annotationDelimiter'];
/** Other parts of the API have these operations, and tests of their own. */
const ELSEWHERE = /\/(events|stream|alarms|devices|operate|report|chart)(\/|$)/;

export const isInTables = ({ path }: Operation): boolean => !ELSEWHERE.test(path);

/** Returns the operation that a row calls, undefined where it does not exist. */
export function operationOf(row: Row, operations: readonly Operation[]): Operation | undefined {
  const target = row.path.replace(/\?.*$/, '').replace(/(.)\/$/, '$1');
  return operations.find(({ method, pattern }) => method === row.method && pattern.test(target));
}

const argumentsOf = (row: Row): string[] =>
  (row.path.split('?')[1] ?? '').split('&').flatMap((pair) => pair.split('=')[0] || []);

/** Lists operations of the document that the tables lack, in sentences. */
export function missingRows(operations: readonly Operation[], rows: readonly Row[]): string[] {
  const rowsOf = Map.groupBy(rows, (row) => operationOf(row, operations));
  return operations.filter(isInTables).flatMap((operation) => {
    const rows = rowsOf.get(operation) ?? [];
    const good = rows.filter(({ status }) => status < 300);
    if (good.length === 0) return [`${operation.name} needs a row that succeeds`];
    const using = (list: readonly Row[], name: string) => list.filter((row) => argumentsOf(row).includes(name));
    return operation.queryArguments.flatMap((name) => [
      ...(using(good, name).length === 0 ? [`${name} of ${operation.name} needs a row that succeeds`] : []),
      ...(CANNOT_BE_WRONG.includes(name) || using(rows, name).some((row) => refuses(row, name))
        ? []
        : [`${name} of ${operation.name} needs a row that is refused by its name`]),
    ]);
  });
}

const refuses = ({ status, answers }: Row, name: string): boolean =>
  [400, 413].includes(status) && answers.some((answer) => answer.startsWith(name) || answer.includes(`${name}:`));

/** Lists rows that call operations which are not in the document. */
export function unknownInRows(operations: readonly Operation[], rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const where = `${row.file}:${row.line}`;
    if (row.status === 404 || row.status === 405 || ['HEAD', 'OPTIONS'].includes(row.method)) return [];
    const operation = operationOf(row, operations);
    if (!operation) return [`${where}: the document has no ${row.method} ${row.path}`];
    return argumentsOf(row)
      .filter((name) => name !== 'unknown' && !operation.queryArguments.includes(name))
      .map((name) => `${where}: the document has no argument ${name} of ${operation.name}`);
  });
}
