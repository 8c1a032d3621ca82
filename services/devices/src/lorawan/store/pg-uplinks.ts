import type { Queryable } from '@catchment/pg';
import type { UplinkFrame } from '../domain/uplink-frame.ts';

/** A frame of the same session and counter that comes later is another one: the device has begun its counter anew without a join. */
const SAME_FRAME_MS = 3_600_000;

export async function noteUplink(
  on: Queryable,
  sourceId: string,
  { device, session, counter, digest, timeMs }: UplinkFrame,
): Promise<{ timeMs: number; isStored: boolean }> {
  const isOther = `(abs(u.time_ms - excluded.time_ms) > ${SAME_FRAME_MS} OR u.digest <> excluded.digest)`;
  const { rows } = await on.query<{ time_ms: string; is_stored: boolean }>(
    `INSERT INTO uplinks AS u (source_id, device, session, counter, digest, time_ms) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (source_id, device, session, counter) DO UPDATE SET
       digest = CASE WHEN ${isOther} THEN excluded.digest ELSE coalesce(u.digest, excluded.digest) END,
       time_ms = CASE WHEN ${isOther} THEN excluded.time_ms ELSE u.time_ms END,
       is_stored = u.is_stored AND ${isOther} IS NOT TRUE,
       noted_time = now()
     RETURNING time_ms, is_stored`,
    [sourceId, device, session, counter, digest ? Buffer.from(digest) : null, timeMs],
    'note-uplink',
  );
  const [row] = rows;
  return { timeMs: Number(row?.time_ms ?? timeMs), isStored: row?.is_stored === true };
}

export async function uplinkStored(on: Queryable, sourceId: string, frame: UplinkFrame, timeMs: number): Promise<void> {
  const { device, session, counter } = frame;
  await on.query(
    `UPDATE uplinks SET is_stored = true
     WHERE source_id = $1 AND device = $2 AND session = $3 AND counter = $4 AND time_ms = $5`,
    [sourceId, device, session, counter, timeMs],
    'uplink-stored',
  );
}

export async function forgetUplinks(on: Queryable, sourceId: string, device: string): Promise<void> {
  await on.query('DELETE FROM uplinks WHERE source_id = $1 AND device = $2', [sourceId, device], 'forget-uplinks');
}

export async function sweepUplinks(on: Queryable): Promise<void> {
  await on.query("DELETE FROM uplinks WHERE noted_time < now() - interval '2 hours'", [], 'sweep-uplinks');
}
