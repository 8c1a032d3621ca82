import type { Queryable } from '@catchment/pg';
import type { ReportedAlarms, ReportedState } from '../domain/reported-alarms.ts';

/** Saves current states, at most one a node; one that is older than the stored one changes nothing. */
export async function saveStates(tx: Queryable, states: readonly ReportedState[]): Promise<void> {
  if (states.length === 0) return;
  await tx.query(
    `INSERT INTO node_alarms (node_id, current_state_id, state_revision)
     SELECT n.node_id, u.state_id, u.revision
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS u(node_id, owner_id, state_id, revision)
     JOIN nodes n ON n.node_id = u.node_id AND n.owner_id = u.owner_id ORDER BY n.node_id FOR KEY SHARE OF n
     ON CONFLICT (node_id) DO UPDATE SET current_state_id = excluded.current_state_id,
       state_revision = excluded.state_revision
     WHERE node_alarms.state_revision < excluded.state_revision`,
    [
      states.map(({ nodeId }) => nodeId),
      states.map(({ ownerId }) => ownerId),
      states.map(({ stateId }) => stateId),
      states.map(({ revision }) => revision),
    ],
    'save-states',
  );
}

/**
 * Stores alarm statuses, at most one entry a node; a type that is older than the stored one changes nothing. An
 * evaluated message stays as long as the alarm is reported with the usual text that it stands for.
 */
export async function saveAlarms(tx: Queryable, reported: readonly ReportedAlarms[]): Promise<void> {
  if (reported.length === 0) return;
  await tx.query(
    `INSERT INTO node_alarms (node_id, alarms)
     SELECT n.node_id, u.alarms::jsonb
     FROM unnest($1::text[], $2::text[], $3::text[]) AS u(node_id, owner_id, alarms)
     JOIN nodes n ON n.node_id = u.node_id AND n.owner_id = u.owner_id ORDER BY n.node_id FOR KEY SHARE OF n
     ON CONFLICT (node_id) DO UPDATE SET alarms = node_alarms.alarms || (
       SELECT coalesce(jsonb_object_agg(key, value || CASE
           WHEN node_alarms.alarms -> key ->> 'usual' = value ->> 'message'
             AND node_alarms.alarms -> key -> 'activeTime' = value -> 'activeTime'
           THEN jsonb_build_object('message', node_alarms.alarms -> key -> 'message', 'usual', value -> 'message',
             'textRevision', node_alarms.alarms -> key -> 'textRevision')
           ELSE '{}' END), '{}') FROM jsonb_each(excluded.alarms)
       WHERE (value ->> 'revision')::bigint > coalesce((node_alarms.alarms -> key ->> 'revision')::bigint, -1))`,
    [
      reported.map(({ nodeId }) => nodeId),
      reported.map(({ ownerId }) => ownerId),
      reported.map(({ alarms }) => JSON.stringify(alarms)),
    ],
    'save-alarms',
  );
}
