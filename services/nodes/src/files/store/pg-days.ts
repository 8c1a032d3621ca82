import type { Queryable } from '@catchment/pg';

const DAY_MS = 86_400_000;

/** Counts a file of a source. @returns how many came on the day, with this one */
export async function countFile(tx: Queryable, sourceId: string, nowMs: number): Promise<number> {
  const { rows } = await tx.query<{ files_of_day: number }>(
    `UPDATE node_values SET files_day = $2, files_of_day = CASE WHEN files_day = $2 THEN files_of_day ELSE 0 END + 1,
       files_refused = CASE WHEN files_day = $2 THEN files_refused ELSE 0 END
     WHERE node_id = $1 RETURNING files_of_day`,
    [sourceId, Math.floor(nowMs / DAY_MS)],
    'count-file',
  );
  return rows[0]?.files_of_day ?? 0;
}

/** Counts a file that the limit of the day has refused. @returns how many it has; 0 where the source is gone */
export async function countRefusedFile(tx: Queryable, sourceId: string): Promise<number> {
  const { rows } = await tx.query<{ files_refused: number }>(
    'UPDATE node_values SET files_refused = files_refused + 1 WHERE node_id = $1 RETURNING files_refused',
    [sourceId],
    'count-refused-file',
  );
  return rows[0]?.files_refused ?? 0;
}
