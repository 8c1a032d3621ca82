import type { Database, Queryable } from '@catchment/pg';
import type { Software } from '../domain/device.ts';
import type { Match } from '../domain/registration.ts';
import type { AckedSeq, OpenedConnection } from '../usecases/ports.ts';

/** A process whose heartbeat is this late is taken for dead; also in the view `shown_devices`. */
export const LEASE_SECONDS = 10;

const NOTIFY_CHANNEL = 'devices';

export async function openConnection(
  tx: Queryable,
  opened: {
    matched: Match;
    connectionId: string;
    instanceId: string;
    session: string;
    software: Software;
    nowMs: number;
  },
): Promise<OpenedConnection | undefined> {
  const { matched, connectionId, instanceId, session, software, nowMs } = opened;
  const { deviceId, secretHash } = matched.device;
  // The device row is the lock that orders two modems of one device; a secret that was changed meanwhile opens nothing.
  const { rows } = await tx.query<{ replaced: boolean; acked_seq: number }>(
    `WITH same AS (
       UPDATE devices SET last_connected_ms = $2, software = software || $3::jsonb
       WHERE device_id = $1 AND secret_hash IS NOT DISTINCT FROM $4 AND unsecured_since_ms IS NOT DISTINCT FROM $5
       RETURNING device_id
     ), opened AS (
       INSERT INTO connections (device_id, connection_id, instance_id) SELECT device_id, $6, $7 FROM same
       ON CONFLICT (device_id) DO UPDATE SET connection_id = excluded.connection_id, instance_id = excluded.instance_id,
         opened_at = excluded.opened_at
       -- A new row has 0.
       RETURNING xmax <> 0 AS replaced
     ), counted AS (
       INSERT INTO modem_sessions (device_id, session, acked_seq) SELECT device_id, $8, 0 FROM same
       ON CONFLICT (device_id) DO UPDATE SET session = excluded.session,
         acked_seq = CASE WHEN modem_sessions.session = excluded.session THEN modem_sessions.acked_seq ELSE 0 END
       RETURNING acked_seq
     )
     SELECT replaced, acked_seq, pg_notify($9, current_schema() || ':' || $1 || ':' || $6) FROM opened, counted`,
    [
      deviceId,
      nowMs,
      JSON.stringify(software),
      secretHash,
      matched.unsecuredSinceMs,
      connectionId,
      instanceId,
      session,
      NOTIFY_CHANNEL,
    ],
    'open-connection',
  );
  const [row] = rows;
  return row && { replaced: row.replaced, ackedSeq: row.acked_seq };
}

export async function closeConnections(
  tx: Queryable,
  ended: readonly { deviceId: string; connectionId: string }[],
): Promise<string[]> {
  const { rows } = await tx.query<{ device_id: string }>(
    `DELETE FROM connections c USING unnest($1::text[], $2::text[]) AS n (device_id, connection_id)
     WHERE c.device_id = n.device_id AND c.connection_id = n.connection_id RETURNING c.device_id`,
    [ended.map(({ deviceId }) => deviceId), ended.map(({ connectionId }) => connectionId)],
    'close-connections',
  );
  return rows.map((row) => row.device_id);
}

export async function isRegistered(on: Queryable, deviceId: string, connectionId: string): Promise<boolean> {
  const { rows } = await on.query(
    'SELECT FROM connections WHERE device_id = $1 AND connection_id = $2',
    [deviceId, connectionId],
    'is-registered',
  );
  return rows.length > 0;
}

export async function dropConnection(tx: Queryable, deviceId: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM connections WHERE device_id = $1', [deviceId]);
  await notifyDevice(tx, deviceId);
  return rowCount > 0;
}

export async function saveAckedSeqs(on: Queryable, acked: readonly AckedSeq[]): Promise<void> {
  // A statement changes a row once.
  const last = [...new Map(acked.map((ack) => [ack.deviceId, ack])).values()];
  await on.query(
    `UPDATE modem_sessions m SET acked_seq = greatest(m.acked_seq, n.seq)
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n(device_id, session, seq)
     WHERE m.device_id = n.device_id AND m.session = n.session`,
    [last.map(({ deviceId }) => deviceId), last.map(({ session }) => session), last.map(({ seq }) => seq)],
    'save-acked-seqs',
  );
}

export async function confirmConfig(on: Queryable, deviceId: string, revision: number): Promise<void> {
  await on.query(
    'UPDATE devices SET confirmed_revision = greatest(confirmed_revision, $2) WHERE device_id = $1 AND $2 <= config_revision',
    [deviceId, revision],
  );
}

export async function notifyDevice(tx: Queryable, deviceId: string): Promise<void> {
  await tx.query(`SELECT pg_notify($1, current_schema() || ':' || $2)`, [NOTIFY_CHANNEL, deviceId]);
}

export async function notifyDeviceOfKey(tx: Queryable, ownerId: string, deviceKey: string): Promise<void> {
  const { rows } = await tx.query<{ device_id: string }>(
    'SELECT device_id FROM devices WHERE device_key = $1 AND owner_id = $2',
    [deviceKey, ownerId],
  );
  for (const row of rows) await notifyDevice(tx, row.device_id);
}

export async function heartbeat(on: Queryable, instanceId: string): Promise<void> {
  await on.query(
    `INSERT INTO instances (instance_id) VALUES ($1)
     ON CONFLICT (instance_id) DO UPDATE SET heartbeat_at = clock_timestamp()`,
    [instanceId],
    'heartbeat',
  );
}

export async function sweepConnections(
  tx: Queryable,
  instanceId: string,
  heldConnectionIds: readonly string[],
): Promise<string[]> {
  await tx.query(`DELETE FROM instances WHERE heartbeat_at < clock_timestamp() - make_interval(secs => $1)`, [
    LEASE_SECONDS,
  ]);
  const { rows } = await tx.query<{ device_id: string }>(
    `DELETE FROM connections c
     WHERE NOT EXISTS (SELECT 1 FROM instances i WHERE i.instance_id = c.instance_id)
        OR (c.instance_id = $1 AND NOT c.connection_id = ANY($2::text[])
            AND c.opened_at < clock_timestamp() - make_interval(secs => $3))
     RETURNING c.device_id`,
    [instanceId, heldConnectionIds, LEASE_SECONDS],
  );
  return rows.map((row) => row.device_id);
}

export async function registeredConnections(on: Queryable, instanceId: string): Promise<Set<string>> {
  const { rows } = await on.query<{ connection_id: string }>(
    'SELECT connection_id FROM connections WHERE instance_id = $1',
    [instanceId],
  );
  return new Set(rows.map((row) => row.connection_id));
}

export async function listenForDevices(
  database: Database,
  onDevice: (deviceId?: string, connectionId?: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = await database.dedicated();
  try {
    const ended = new Promise<void>((resolve) => {
      client.once('error', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const prefix = `${database.schema}:`;
    client.on('notification', ({ payload }) => {
      if (payload?.startsWith(prefix)) onDevice(...payload.slice(prefix.length).split(':'));
    });
    await client.query(`LISTEN ${NOTIFY_CHANNEL}`);
    onDevice();
    if (!signal.aborted) await ended;
  } finally {
    client.removeAllListeners('notification');
    client.release(true);
  }
}
