import type { Queryable } from '@catchment/pg';
import type { Match } from '../domain/registration.ts';
import type { Registration } from '../usecases/ports.ts';
import { type DeviceRow, toShownDevice } from './pg-devices.ts';

export async function makeSalt(on: Queryable, deviceKey: string, fresh: string): Promise<string> {
  const { rows } = await on.query<{ salt: string }>(
    `INSERT INTO key_salts (device_key, salt) VALUES ($1, $2)
     ON CONFLICT (device_key) DO UPDATE SET salt = key_salts.salt RETURNING salt`,
    [deviceKey, fresh],
    'make-salt',
  );
  return rows[0]?.salt ?? fresh;
}

export async function saltOf(on: Queryable, deviceKey: string): Promise<string | undefined> {
  const { rows } = await on.query<{ salt: string }>(
    'SELECT salt FROM key_salts WHERE device_key = $1',
    [deviceKey],
    'salt-of-key',
  );
  return rows[0]?.salt;
}

type MatchRow = DeviceRow & { unsecured_since_ms: number | null };

/** Looks once into an index, however many registrations the key has. */
async function match(
  on: Queryable,
  lookup: string,
  values: readonly unknown[],
  name: string,
): Promise<Match | undefined> {
  const { rows } = await on.query<MatchRow>(
    `SELECT s.*, d.unsecured_since_ms FROM devices d JOIN shown_devices s USING (device_id) WHERE d.device_id = (${lookup} LIMIT 1)`,
    values,
    name,
  );
  const [row] = rows;
  return row && { device: toShownDevice(row), unsecuredSinceMs: row.unsecured_since_ms };
}

export const findBySecret = (on: Queryable, deviceKey: string, selector: string): Promise<Match | undefined> =>
  match(
    on,
    `SELECT device_id FROM devices
     WHERE device_key = $1 AND secret_hash IS NOT NULL AND left(split_part(secret_hash, '$', 3), 8) = $2
     ORDER BY created_ms, device_id`,
    [deviceKey, selector],
    'find-by-secret',
  );

export const findUnsecured = (on: Queryable, deviceKey: string): Promise<Match | undefined> =>
  match(
    on,
    `SELECT u.device_id FROM devices u
     WHERE u.device_key = $1 AND u.unsecured_since_ms IS NOT NULL AND u.workspace_id IS NOT NULL
       AND (u.is_generated OR NOT EXISTS (SELECT 1 FROM devices g WHERE g.device_key = $1 AND g.is_generated))
     ORDER BY u.unsecured_since_ms, u.device_id`,
    [deviceKey],
    'find-unsecured',
  );

export async function registrationsOf(on: Queryable, deviceKey: string, limit: number): Promise<Registration[]> {
  const { rows } = await on.query<DeviceRow>(
    `SELECT s.* FROM devices d JOIN shown_devices s USING (device_id) WHERE d.device_key = $1
     ORDER BY d.is_generated DESC, d.workspace_id IS NULL, d.unsecured_since_ms NULLS LAST, d.created_ms, d.device_id LIMIT $2`,
    [deviceKey, limit],
  );
  return rows.map(toShownDevice).map(({ secretHash, ...shown }) => ({ ...shown, hasSecret: secretHash !== null }));
}

export async function releaseRegistration(
  tx: Queryable,
  { deviceKey, deviceId, nowMs }: { deviceKey: string; deviceId: string; nowMs: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE devices SET is_generated = false, unsecured_since_ms = CASE WHEN secret_hash IS NULL THEN greatest($3::bigint,
       1 + (SELECT max(unsecured_since_ms) FROM devices WHERE device_key = $1)) END
     WHERE device_key = $1 AND device_id = $2`,
    [deviceKey, deviceId, nowMs],
  );
  return rowCount > 0;
}
