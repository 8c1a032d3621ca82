import type { AcquisitionEvent } from '@catchment/contracts/events';
import type { Database } from '@catchment/pg';

/** Older ones say nothing about a source that is silent now; and no more months are looked through. */
const KNOWN = `interval '400 days'`;

/** Reads the newest ACQUISITION events of a node, newest first: one statement, from the end of the index. */
export async function acquisitionsOf(
  database: Database,
  ownerId: string,
  nodeId: string,
  limit: number,
): Promise<AcquisitionEvent[]> {
  const { rows } = await database.query<{ time_ms: number; level: string; message: string }>(
    `SELECT (extract(epoch FROM event_time) * 1000)::bigint AS time_ms, level, message FROM events
     WHERE node_id = $2 AND owner_id = $1 AND event_type = 'ACQUISITION' AND alarm_state = 'NONE'
       AND event_time > now() - ${KNOWN}
     ORDER BY event_time DESC NULLS LAST, event_id DESC LIMIT $3`,
    [ownerId, nodeId, limit],
    'acquisition-events',
  );
  return rows.map((row) => ({ timeMs: row.time_ms, level: row.level, message: row.message }));
}
