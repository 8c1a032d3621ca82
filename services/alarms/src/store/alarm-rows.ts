import { NodeConfig } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import type { AlarmType } from '@catchment/query';
import type { Alarm } from '../domain/alarm.ts';
import type { NodeAlarm, StoredAlarm } from '../domain/changes.ts';
import { toNode } from '../domain/node.ts';

type AlarmRow = {
  node_id: string;
  alarm_type: AlarmType;
  alarm_state: Alarm['alarmState'];
  message: string | null;
  category_id: string | null;
  active_time_ms: number | null;
  acknowledge_time_ms: number | null;
  acknowledge_username: string | null;
  acknowledge_comment: string | null;
  is_cleared_by_hand: boolean;
};

const COLUMNS = `a.node_id, a.alarm_type, a.alarm_state, a.message, a.category_id, a.active_time_ms, a.acknowledge_time_ms,
  a.acknowledge_username, a.acknowledge_comment, a.is_cleared_by_hand`;

const toAlarm = (row: AlarmRow): Alarm => ({
  alarmState: row.alarm_state,
  message: row.message,
  categoryId: row.category_id,
  activeTimeMs: row.active_time_ms,
  acknowledgeTimeMs: row.acknowledge_time_ms,
  acknowledgeUsername: row.acknowledge_username,
  acknowledgeComment: row.acknowledge_comment,
  isClearedByHand: row.is_cleared_by_hand,
});

export async function lockAlarms(
  tx: Queryable,
  nodeIds: readonly string[],
  types: readonly AlarmType[],
): Promise<readonly StoredAlarm[]> {
  const { rows } = await tx.query<AlarmRow>(
    `SELECT ${COLUMNS} FROM alarms a WHERE a.node_id = ANY($1::text[]) AND a.alarm_type = ANY($2::text[])
     ORDER BY a.node_id, a.alarm_type FOR UPDATE`,
    [nodeIds, types],
    'lock-alarms',
  );
  return rows.map((row) => ({ nodeId: row.node_id, type: row.alarm_type, alarm: toAlarm(row) }));
}

export async function lockRaisedUnder(tx: Queryable, sourceIds: readonly string[]): Promise<readonly NodeAlarm[]> {
  const { rows } = await tx.query<AlarmRow & { config: Buffer }>(
    `SELECT ${COLUMNS}, n.config FROM alarms a JOIN node_replica n USING (node_id)
     WHERE n.source_id = ANY($1::text[]) AND n.deleted_time IS NULL AND a.alarm_state <> 'CLEARED'
     ORDER BY a.node_id, a.alarm_type FOR UPDATE OF a`,
    [sourceIds],
  );
  return rows.map((row) => ({
    node: toNode(NodeConfig.decode(row.config)),
    type: row.alarm_type,
    alarm: toAlarm(row),
  }));
}

export async function saveAlarms(tx: Queryable, alarms: readonly NodeAlarm[]): Promise<void> {
  if (alarms.length === 0) return;
  const sorted = [...alarms].sort((a, b) => (`${a.node.nodeId} ${a.type}` < `${b.node.nodeId} ${b.type}` ? -1 : 1));
  const of = <T>(pick: (alarm: Alarm) => T) => sorted.map(({ alarm }) => pick(alarm));
  await tx.query(
    `INSERT INTO alarms (node_id, alarm_type, owner_id, workspace_id, alarm_state, message, category_id, active_time_ms,
       acknowledge_time_ms, acknowledge_username, acknowledge_comment, is_cleared_by_hand)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
       $9::bigint[], $10::text[], $11::text[], $12::boolean[])
     ON CONFLICT (node_id, alarm_type) DO UPDATE SET alarm_state = excluded.alarm_state, message = excluded.message,
       category_id = excluded.category_id, active_time_ms = excluded.active_time_ms,
       acknowledge_time_ms = excluded.acknowledge_time_ms, acknowledge_username = excluded.acknowledge_username,
       acknowledge_comment = excluded.acknowledge_comment, is_cleared_by_hand = excluded.is_cleared_by_hand`,
    [
      sorted.map(({ node }) => node.nodeId),
      sorted.map(({ type }) => type),
      sorted.map(({ node }) => node.ownerId),
      sorted.map(({ node }) => node.workspaceId),
      of((alarm) => alarm.alarmState),
      of((alarm) => alarm.message),
      of((alarm) => alarm.categoryId),
      of((alarm) => alarm.activeTimeMs),
      of((alarm) => alarm.acknowledgeTimeMs),
      of((alarm) => alarm.acknowledgeUsername),
      of((alarm) => alarm.acknowledgeComment),
      of((alarm) => alarm.isClearedByHand),
    ],
    'save-alarms',
  );
}
