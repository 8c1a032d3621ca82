import type { Queryable } from '@catchment/pg';
import type { ControlEnd, SessionShown } from '../domain/session.ts';

/**
 * Saves at most one entry a source. An entry that is older than the stored one changes nothing. @returns the accounts of the sources that
 * changed
 */
export async function saveSessions(tx: Queryable, sessions: readonly SessionShown[]): Promise<string[]> {
  if (sessions.length === 0) return [];
  const { rows } = await tx.query<{ owner_id: string }>(
    `UPDATE node_values v SET session_revision = u.revision, session_status = u.status,
       is_stale = v.is_stale OR v.session_status IS DISTINCT FROM u.status,
       total_attempts = v.total_attempts + u.attempts - v.session_attempts, session_attempts = u.attempts,
       total_successes = v.total_successes + u.successes - v.session_successes, session_successes = u.successes,
       last_attempt_ms = greatest(v.last_attempt_ms, u.last_attempt_ms),
       last_success_ms = greatest(v.last_success_ms, u.last_success_ms),
       last_record_count = coalesce(u.record_count, v.last_record_count),
       logger_model = u.model, logger_firmware = u.firmware, logger_program = u.program
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
         $10::text[], $11::text[], $12::text[])
       AS u(node_id, owner_id, revision, status, attempts, successes, last_attempt_ms, last_success_ms, record_count, model, firmware, program)
     JOIN nodes n ON n.node_id = u.node_id AND n.owner_id = u.owner_id
     WHERE v.node_id = u.node_id AND v.session_revision < u.revision RETURNING u.owner_id`,
    [
      sessions.map(({ sourceId }) => sourceId),
      sessions.map(({ ownerId }) => ownerId),
      sessions.map(({ revision }) => revision),
      sessions.map(({ status }) => status),
      sessions.map(({ attempts }) => attempts),
      sessions.map(({ successes }) => successes),
      sessions.map(({ lastAttemptMs }) => lastAttemptMs ?? null),
      sessions.map(({ lastSuccessMs }) => lastSuccessMs ?? null),
      sessions.map(({ recordCount }) => recordCount ?? null),
      sessions.map(({ model }) => model ?? null),
      sessions.map(({ firmwareVersion }) => firmwareVersion ?? null),
      sessions.map(({ programName }) => programName ?? null),
    ],
    'save-sessions',
  );
  return rows.map((row) => row.owner_id);
}

export async function endControls(tx: Queryable, ended: readonly ControlEnd[]): Promise<string[]> {
  if (ended.length === 0) return [];
  const { rows } = await tx.query<{ owner_id: string }>(
    `UPDATE node_values v SET control_value = NULL
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS u(node_id, owner_id, revision)
     JOIN nodes n ON n.node_id = u.node_id AND n.owner_id = u.owner_id
     WHERE v.node_id = u.node_id AND v.control_revision = u.revision AND v.control_value IS NOT NULL RETURNING u.owner_id`,
    [ended.map(({ nodeId }) => nodeId), ended.map(({ ownerId }) => ownerId), ended.map(({ revision }) => revision)],
    'end-controls',
  );
  return rows.map((row) => row.owner_id);
}
