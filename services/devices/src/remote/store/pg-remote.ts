import type { Queryable } from '@catchment/pg';
import { LEASE_SECONDS } from '../../registry/index.ts';
import type { RemoteSession } from '../domain/remote-session.ts';

type RemoteRow = {
  source_id: string;
  owner_id: string;
  workspace_id: string;
  device_id: string;
  instance_id: string;
  cidr: string;
  username: string;
  ends_ms: number;
  state: RemoteSession['state'];
  port: number | null;
  failure: string | null;
};

const COLUMNS =
  'source_id, owner_id, workspace_id, device_id, instance_id, cidr, username, ends_ms, state, port, failure';

const toSession = (row: RemoteRow): RemoteSession => ({
  sourceId: row.source_id,
  ownerId: row.owner_id,
  workspaceId: row.workspace_id,
  deviceId: row.device_id,
  instanceId: row.instance_id,
  cidr: row.cidr,
  username: row.username,
  endsMs: row.ends_ms,
  state: row.state,
  port: row.port,
  failure: row.failure,
});

export async function saveRemote(tx: Queryable, session: RemoteSession): Promise<void> {
  const { sourceId, ownerId, workspaceId, deviceId, instanceId, cidr, username, endsMs, state, port, failure } =
    session;
  await tx.query(
    `INSERT INTO remote_sessions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (source_id) DO UPDATE SET device_id = excluded.device_id, instance_id = excluded.instance_id,
       workspace_id = excluded.workspace_id, cidr = excluded.cidr, username = excluded.username, ends_ms = excluded.ends_ms,
       state = excluded.state, port = excluded.port, failure = excluded.failure`,
    [sourceId, ownerId, workspaceId, deviceId, instanceId, cidr, username, endsMs, state, port, failure],
  );
}

export async function findRemote(on: Queryable, ownerId: string, sourceId: string): Promise<RemoteSession | undefined> {
  const { rows } = await on.query<RemoteRow>(
    `SELECT ${COLUMNS} FROM remote_sessions WHERE source_id = $1 AND owner_id = $2`,
    [sourceId, ownerId],
    'find-remote-session',
  );
  return rows[0] && toSession(rows[0]);
}

export async function deleteRemote(
  tx: Queryable,
  ownerId: string,
  sourceId: string,
): Promise<RemoteSession | undefined> {
  const { rows } = await tx.query<RemoteRow>(
    `DELETE FROM remote_sessions WHERE source_id = $1 AND owner_id = $2 RETURNING ${COLUMNS}`,
    [sourceId, ownerId],
  );
  return rows[0] && toSession(rows[0]);
}

/**
 * Returns the sessions that a process is to hold open. Those of dead processes, and those that are over, are removed.
 */
export async function remotesOf(on: Queryable, instanceId: string, nowMs: number): Promise<RemoteSession[]> {
  const { rows } = await on.query<RemoteRow>(
    `WITH over AS (
       DELETE FROM remote_sessions r WHERE ends_ms <= $2
         OR NOT EXISTS (SELECT FROM instances i WHERE i.instance_id = r.instance_id
                          AND i.heartbeat_at > clock_timestamp() - make_interval(secs => $3)))
     SELECT ${COLUMNS} FROM remote_sessions WHERE instance_id = $1 AND ends_ms > $2 AND state <> 'CLOSED'`,
    [instanceId, nowMs, LEASE_SECONDS],
    'remote-sessions-of-instance',
  );
  return rows.map(toSession);
}

/** @returns false when the session was ended meanwhile */
export async function setRemoteState(
  on: Queryable,
  { sourceId, instanceId }: Pick<RemoteSession, 'sourceId' | 'instanceId'>,
  { state, port, failure = null }: { state: RemoteSession['state']; port: number | null; failure?: string | null },
): Promise<boolean> {
  const { rowCount } = await on.query(
    'UPDATE remote_sessions SET state = $3, port = $4, failure = $5 WHERE source_id = $1 AND instance_id = $2',
    [sourceId, instanceId, state, port, failure],
  );
  return rowCount > 0;
}

/** Returns the device of a source that is connected, and the process that holds its connection. */
export async function liveDeviceOf(
  on: Queryable,
  ownerId: string,
  sourceId: string,
): Promise<{ deviceId: string; instanceId: string } | undefined> {
  const { rows } = await on.query<{ device_id: string; instance_id: string }>(
    `SELECT d.device_id, c.instance_id FROM device_sources s
     JOIN devices d ON d.device_key = s.device_key AND d.owner_id = s.owner_id AND d.workspace_id = s.workspace_id
     JOIN connections c USING (device_id) JOIN instances i USING (instance_id)
     WHERE s.source_id = $1 AND s.owner_id = $2 AND NOT s.is_deleted
       AND i.heartbeat_at > clock_timestamp() - make_interval(secs => $3)`,
    [sourceId, ownerId, LEASE_SECONDS],
    'live-device-of-source',
  );
  const [row] = rows;
  return row && { deviceId: row.device_id, instanceId: row.instance_id };
}
