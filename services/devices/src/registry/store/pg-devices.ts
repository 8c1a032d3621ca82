import type { Database, Queryable } from '@catchment/pg';
import { type Columns, compileFilter, compileSort } from '@catchment/query';
import type { Device, DeviceClass, ShownDevice, Software } from '../domain/device.ts';
import type { ScoutConfig } from '../domain/scout-config.ts';
import type { DeviceQuery, DeviceScope, DeviceSettings } from '../usecases/ports.ts';

/** A row of `shown_devices`. */
export type DeviceRow = {
  device_id: string;
  owner_id: string;
  workspace_id: string | null;
  device_key: string;
  class: DeviceClass;
  phone_number: string | null;
  secret_hash: string | null;
  config: ScoutConfig | null;
  config_revision: number;
  confirmed_revision: number;
  software: Software;
  created_ms: number;
  last_connected_ms: number | null;
  is_connected: boolean;
  datasource_id: string | null;
};

const BATCH_ROWS = 500;

export const toShownDevice = (row: DeviceRow): ShownDevice => ({
  deviceId: row.device_id,
  ownerId: row.owner_id,
  workspaceId: row.workspace_id,
  deviceKey: row.device_key,
  deviceClass: row.class,
  phoneNumber: row.phone_number,
  secretHash: row.secret_hash,
  config: row.config,
  configRevision: row.config_revision,
  confirmedRevision: row.confirmed_revision,
  software: row.software,
  createdMs: row.created_ms,
  lastConnectedMs: row.last_connected_ms,
  isConnected: row.is_connected,
  datasourceId: row.datasource_id,
});

export async function insertDevice(on: Queryable, device: Device, keyIsGenerated = false): Promise<boolean> {
  const { rowCount } = await on.query(
    `INSERT INTO devices (device_id, owner_id, workspace_id, device_key, class, phone_number, secret_hash, config, created_ms,
       is_generated, unsecured_since_ms)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::bigint, $10::boolean, CASE WHEN $7::text IS NULL THEN $9::bigint END
     WHERE NOT ($10 AND EXISTS (SELECT 1 FROM devices WHERE device_key = $4)) ON CONFLICT DO NOTHING`,
    [
      device.deviceId,
      device.ownerId,
      device.workspaceId,
      device.deviceKey,
      device.deviceClass,
      device.phoneNumber,
      device.secretHash,
      device.config && JSON.stringify(device.config),
      device.createdMs,
      keyIsGenerated,
    ],
    'insert-device',
  );
  return rowCount === 1;
}

export async function saveDevice(tx: Queryable, device: DeviceSettings, nowMs: number): Promise<void> {
  await tx.query(
    `UPDATE devices SET phone_number = $2, secret_hash = $3, config = $4::jsonb, config_revision = $5,
       unsecured_since_ms = CASE WHEN $3::text IS NULL THEN coalesce(unsecured_since_ms, $6::bigint) END
     WHERE device_id = $1`,
    [
      device.deviceId,
      device.phoneNumber,
      device.secretHash,
      device.config && JSON.stringify(device.config),
      device.configRevision,
      nowMs,
    ],
  );
}

export async function findDevice(on: Queryable, ownerId: string, deviceId: string): Promise<ShownDevice | undefined> {
  const { rows } = await on.query<DeviceRow>(
    'SELECT * FROM shown_devices WHERE owner_id = $1 AND device_id = $2',
    [ownerId, deviceId],
    'find-device',
  );
  return rows[0] && toShownDevice(rows[0]);
}

export async function lockDevice(tx: Queryable, ownerId: string, deviceId: string): Promise<ShownDevice | undefined> {
  await tx.query('SELECT 1 FROM devices WHERE owner_id = $1 AND device_id = $2 FOR UPDATE', [ownerId, deviceId]);
  return findDevice(tx, ownerId, deviceId);
}

export async function lockDeviceByKey(
  on: Queryable,
  ownerId: string,
  deviceKey: string,
): Promise<ShownDevice | undefined> {
  await on.query('SELECT 1 FROM devices WHERE owner_id = $1 AND device_key = $2 FOR UPDATE', [ownerId, deviceKey]);
  const { rows } = await on.query<DeviceRow>(
    'SELECT * FROM shown_devices WHERE owner_id = $1 AND device_key = $2',
    [ownerId, deviceKey],
    'find-by-key',
  );
  return rows[0] && toShownDevice(rows[0]);
}

export function streamDevices(
  database: Database,
  scope: DeviceScope,
  query: DeviceQuery,
  columns: Columns,
): AsyncGenerator<ShownDevice[]> {
  const values: unknown[] = [];
  const where = `${scopeSql(scope, values)} AND ${compileFilter(query.filter, columns, values, {
    nodeIdOf: (customId, bind) => `${bind(query.nodeIds.get(customId) ?? null)}::text`,
  })}`;
  const order = compileSort(query.sort, columns, values, {
    idSql: 'd.device_id',
    fallback: [{ path: 'createdTime', direction: 'ASC' }],
  });
  values.push(query.limit, query.skip);
  const text = `SELECT d.* FROM shown_devices d WHERE ${where} ORDER BY ${order} LIMIT $${values.length - 1} OFFSET $${values.length}`;
  return batches(database.stream<DeviceRow>(text, values, BATCH_ROWS));
}

async function* batches(rows: AsyncGenerator<DeviceRow[]>): AsyncGenerator<ShownDevice[]> {
  for await (const batch of rows) yield batch.map(toShownDevice);
}

export async function devicesRevision(on: Queryable, scope: DeviceScope): Promise<string> {
  const values: unknown[] = [];
  const { rows } = await on.query<{ revision: string | null }>(
    `SELECT md5(string_agg(concat_ws(':', d.device_id, d.workspace_id, d.config_revision, d.confirmed_revision,
       d.last_connected_ms, d.connection_id, d.datasource_id, coalesce(d.phone_number, ''), d.secret_hash IS NULL,
       md5(d.software::text || coalesce(d.config::text, ''))), ',' ORDER BY d.device_id)) AS revision
     FROM shown_devices d WHERE ${scopeSql(scope, values)}`,
    values,
  );
  return rows[0]?.revision ?? 'empty';
}

function scopeSql({ ownerId, workspaceIds, closedSourceIds }: DeviceScope, values: unknown[]): string {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = [`d.owner_id = ${bind(ownerId)}`];
  if (workspaceIds) where.push(`d.workspace_id = ANY(${bind(workspaceIds)}::text[])`);
  if (closedSourceIds.length > 0)
    where.push(`(d.datasource_id IS NULL OR d.datasource_id <> ALL(${bind(closedSourceIds)}::text[]))`);
  return where.join(' AND ');
}

export async function moveDevice(tx: Queryable, deviceId: string, workspaceId: string): Promise<void> {
  await tx.query('UPDATE devices SET workspace_id = $2 WHERE device_id = $1 AND workspace_id IS DISTINCT FROM $2', [
    deviceId,
    workspaceId,
  ]);
}

export async function setScheduleType(tx: Queryable, deviceId: string, scheduleType: string): Promise<void> {
  await tx.query(
    `UPDATE devices SET config = jsonb_set(config, '{schedule,scheduleType}', to_jsonb($2::text)), config_revision = config_revision + 1
     WHERE device_id = $1`,
    [deviceId, scheduleType],
  );
}

export async function leaveWorkspaces(
  tx: Queryable,
  ownerId: string,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ device_id: string }>(
    `UPDATE devices SET workspace_id = NULL WHERE owner_id = $1 AND workspace_id = ANY($2::text[]) RETURNING device_id`,
    [ownerId, workspaceIds],
  );
  return rows.map((row) => row.device_id);
}

export async function deleteDevice(tx: Queryable, ownerId: string, deviceId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `DELETE FROM devices d WHERE device_id = $1 AND owner_id = $2 AND NOT EXISTS (
       SELECT FROM device_sources s WHERE s.device_key = d.device_key AND s.owner_id = d.owner_id AND NOT s.is_deleted)`,
    [deviceId, ownerId],
  );
  return rowCount > 0;
}
