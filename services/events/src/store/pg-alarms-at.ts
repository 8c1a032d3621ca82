import type { AlarmAt } from '@catchment/contracts/events';
import type { Database } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';

/** Reads the alarms of nodes that were not cleared at a time, by the last event about each. */
export async function alarmsAt(
  database: Database,
  ownerId: string,
  nodeIds: readonly string[],
  timeMs: number,
): Promise<AlarmAt[]> {
  const { rows } = await database.query<{
    node_id: string;
    alarm_type: string;
    alarm_state: string;
    username: string;
    time_ms: number;
    raised_message: string | null;
    raised_ms: number | null;
  }>(
    `WITH last AS (
       SELECT DISTINCT ON (node_id, alarm_type) node_id, alarm_type, alarm_state, username, event_time
       FROM events
       WHERE node_id = ANY($2::text[]) AND owner_id = $1 AND alarm_type IS NOT NULL AND event_time <= $3::timestamptz
         AND alarm_state <> 'NONE'
       ORDER BY node_id, alarm_type, event_time DESC, position DESC
     )
     SELECT last.node_id, last.alarm_type, last.alarm_state, last.username, ${msOf('last.event_time')} AS time_ms,
       raised.message AS raised_message, ${msOf('raised.event_time')} AS raised_ms
     FROM last LEFT JOIN LATERAL (
       SELECT e.message, e.event_time FROM events e
       WHERE e.node_id = last.node_id AND e.alarm_type = last.alarm_type AND e.event_time <= last.event_time
         AND e.alarm_state = 'ACTIVE'
       ORDER BY e.event_time DESC, e.position DESC LIMIT 1
     ) raised ON TRUE
     WHERE last.alarm_state <> 'CLEARED'`,
    [ownerId, nodeIds, formatIsoMs(timeMs)],
    'alarms-at',
  );
  return rows.map((row) => ({
    nodeId: row.node_id,
    alarmType: row.alarm_type,
    alarmState: row.alarm_state,
    message: row.raised_message ?? '',
    activeTimeMs: row.raised_ms ?? 0,
    acknowledgeUsername: row.alarm_state === 'ACKNOWLEDGED' ? row.username : '',
    acknowledgeTimeMs: row.alarm_state === 'ACKNOWLEDGED' ? row.time_ms : 0,
  }));
}

const msOf = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::bigint`;
