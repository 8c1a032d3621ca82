import type { Queryable } from '@catchment/pg';
import { EDGES } from '../domain/edges.ts';
import type { ShownOfNode } from '../domain/shown.ts';

/** A column is set by its name, its type, its value by row, and SQL of it where that is not the value (`u`) itself. */
export type ColumnOf<T> = readonly [name: string, type: ColumnType, value: (row: T) => unknown, sql?: string];
type ColumnType = 'text' | 'jsonb' | 'bigint' | 'int' | 'double precision';

const SHOWN_COLUMNS: readonly ColumnOf<ShownOfNode>[] = EDGES.flatMap((edge): ColumnOf<ShownOfNode>[] => [
  [`${edge}_number`, 'double precision', ({ shown }) => shown[edge].number],
  [`${edge}_state`, 'text', ({ shown }) => shown[edge].stateId],
]);

/** A column as a parameter. The driver would quote and escape every number of an array. */
const parameter = (type: ColumnType, values: readonly unknown[]): unknown =>
  type === 'text' || type === 'jsonb' ? values : `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/**
 * Makes a function that stores shown values of series, all in one statement
 * (docs/reference/guarantees.md#lists-in-one-query).
 * @param more columns of the same rows that are changed with it
 */
export function shownSaver<T extends ShownOfNode>(name: string, more: readonly ColumnOf<T>[] = []) {
  const columns = [...SHOWN_COLUMNS, ...more];
  const all: readonly ColumnOf<T>[] = [['node_id', 'text', ({ nodeId }) => nodeId], ...columns];
  const text = `UPDATE node_values v SET is_stale = false, shown_count = v.shown_count + 1,
      ${columns.map(([column, , , sql]) => `${column} = ${sql ?? `u.${column}`}`).join(', ')}
    FROM unnest(${all.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')}) AS u(${all.map(([column]) => column).join(', ')})
    WHERE v.node_id = u.node_id`;
  return async (tx: Queryable, rows: readonly T[]): Promise<void> => {
    if (rows.length === 0) return;
    const values = all.map(([, type, value]) => parameter(type, rows.map(value)));
    await tx.query(text, values, name);
  };
}

/** Shown values of nodes are out of date: whoever changes them waits for who is just computing them from what was before. */
export async function markStale(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE node_values v SET is_stale = true
     FROM (SELECT node_id FROM node_values WHERE node_id = ANY($1) ORDER BY node_id FOR NO KEY UPDATE) locked
     WHERE v.node_id = locked.node_id`,
    [nodeIds],
    'mark-stale',
  );
}

/** Stores shown values of nodes of any class. */
export const saveShown = shownSaver('save-shown', [['status', 'text', ({ shown }) => shown.status]]);
