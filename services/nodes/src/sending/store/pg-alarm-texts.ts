import type { AlarmTextDue } from '@catchment/contracts/nodes-messages';
import type { Queryable } from '@catchment/pg';
import { CURRENT, valuesOf } from './alarm-texts-query.ts';

/** @returns false when the alarm is another one since */
export async function saveText(tx: Queryable, due: AlarmTextDue, text: string): Promise<boolean> {
  const { rows } = await tx.query(
    `UPDATE node_alarms SET alarms = jsonb_set(alarms, ARRAY[$2],
       alarms -> $2 || jsonb_build_object('message', $7::text, 'usual', $4::text, 'textRevision', $5::bigint))
     WHERE ${CURRENT} RETURNING node_id`,
    [...valuesOf(due), text],
    'save-text',
  );
  return rows.length > 0;
}
