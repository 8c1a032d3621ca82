import type { Queryable } from './queryable.ts';

/** One statement has this many rows: no long locks, and none comes to its time limit. */
const BATCH_ROWS = 5_000;

/**
 * Deletes the rows of a table that `where` names, however many there are. Several replicas may do so at once.
 * @param where our own SQL, with the values as $1 …
 * @returns how many rows
 */
export async function deleteInBatches(
  on: Queryable,
  table: string,
  where: string,
  values: readonly unknown[] = [],
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await on.query(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${BATCH_ROWS}))`,
      values,
    );
    deleted += rowCount;
    if (rowCount < BATCH_ROWS) return deleted;
  }
}
