import type { AlarmTextDue } from '@catchment/contracts/nodes-messages';
import type { Queryable } from '@catchment/pg';

/** The alarm that the text is of, as it was when it was asked for, and with no newer text. */
export const CURRENT = `node_id = $1 AND alarms -> $2 ->> 'alarmState' <> 'CLEARED' AND (alarms -> $2 ->> 'activeTime')::bigint = $3
  AND coalesce(alarms -> $2 ->> 'usual', alarms -> $2 ->> 'message') = $4
  AND coalesce((alarms -> $2 ->> 'textRevision')::bigint, -1) < $5
  AND EXISTS (SELECT FROM nodes n WHERE n.node_id = node_alarms.node_id AND n.owner_id = $6)`;

export const valuesOf = ({ nodeId, alarmType, activeTimeMs, usual, revision, ownerId }: AlarmTextDue): unknown[] => [
  nodeId,
  alarmType,
  activeTimeMs,
  usual,
  revision,
  ownerId,
];

/** Returns whether an alarm still waits for a text. */
export async function isTextWanted(on: Queryable, due: AlarmTextDue): Promise<boolean> {
  return (
    (await on.query(`SELECT 1 FROM node_alarms WHERE ${CURRENT}`, valuesOf(due), 'is-text-wanted')).rows.length > 0
  );
}
