import type { Queryable } from '@catchment/pg';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import { literal } from './node-default-columns.ts';

/** Neither the platform computes data of these classes nor people set it. */
const DATA_CLASSES = ALL_CLASSES.filter(
  ({ kind, alarms }) => kind === 'parameter' && !alarms.includes('processAlarm') && !alarms.includes('controlAlarm'),
).map(({ name }) => literal(name));

/**
 * Joins `d` to the nodes `n`: of a source the reference time of docs/reference/alarms.md#outdated-data as `data_ms`, Unix ms, which may lie
 * in the future. Children are looked for where the class has them: a join that finds none for each node of a list takes a quarter of its
 * time.
 */
export const SOURCE_DATA = `CROSS JOIN LATERAL (
    SELECT CASE WHEN n.class LIKE 'source.%' THEN (
      SELECT coalesce(max(c.created_ms) FILTER (WHERE c.class = 'Attachment'),
        CASE WHEN n.config -> 'alarms' -> 'outdatedAlarm' ->> 'latestData' = 'OLDEST' THEN min(cv.current_ms)
          ELSE max(cv.current_ms) END, (n.config ->> 'enabledMs')::bigint, n.created_ms)
      FROM nodes c LEFT JOIN node_values cv USING (node_id)
      WHERE c.parent_id = n.node_id AND c.is_active AND c.class IN ('Attachment', ${DATA_CLASSES.join(', ')})
    ) ELSE n.created_ms END AS data_ms
  ) d`;

export type DataTime = { readonly nodeId: string; readonly referenceMs: number };

/** Reference times of sources; those that are gone, and those of disabled accounts, are left out. */
export async function dataTimes(on: Queryable, nodeIds: readonly string[]): Promise<readonly DataTime[]> {
  const { rows } = await on.query<{ node_id: string; data_ms: number }>(
    `SELECT n.node_id, d.data_ms
     FROM nodes n JOIN owners o ON o.owner_id = n.owner_id AND o.status = 'ACTIVE' ${SOURCE_DATA}
     WHERE n.node_id = ANY($1::text[]) AND n.class LIKE 'source.%'`,
    [nodeIds],
    'data-times',
  );
  return rows.map((row) => ({ nodeId: row.node_id, referenceMs: row.data_ms }));
}
