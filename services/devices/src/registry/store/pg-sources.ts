import type { Queryable } from '@catchment/pg';
import type { SourceEvent } from '../../sources/index.ts';
import type { DeviceSource } from '../domain/device.ts';
import type { FollowedSource, SourceBefore } from '../usecases/ports.ts';

type SourceRow = {
  source_id: string;
  owner_id: string;
  workspace_id: string;
  class: string;
  name: string;
  custom_id: string;
  is_enabled: boolean;
  schedule_type: string;
  write_mode: string;
  revision: number;
};

type DeviceKey = { device_key: string };

export async function saveSource(tx: Queryable, source: FollowedSource): Promise<SourceBefore | 'stale' | undefined> {
  const { rows } = await tx.query<{
    device_key: string | null;
    workspace_id: string;
    revision: number;
    is_deleted: boolean;
  }>('SELECT device_key, workspace_id, revision, is_deleted FROM device_sources WHERE source_id = $1 FOR UPDATE', [
    source.sourceId,
  ]);
  const before = rows[0];
  if (before && (before.is_deleted || before.revision >= source.revision)) return 'stale';
  if (!before && source.deviceKey === null) return undefined;
  await tx.query(
    `INSERT INTO device_sources (source_id, owner_id, workspace_id, device_key, class, name, custom_id, is_enabled, schedule_type, write_mode, revision)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (source_id) DO UPDATE SET workspace_id = excluded.workspace_id, device_key = excluded.device_key,
       name = excluded.name, custom_id = excluded.custom_id, is_enabled = excluded.is_enabled,
       schedule_type = excluded.schedule_type, write_mode = excluded.write_mode, revision = excluded.revision,
       changed_at = clock_timestamp()
     WHERE device_sources.revision < excluded.revision AND NOT device_sources.is_deleted`,
    [
      source.sourceId,
      source.ownerId,
      source.workspaceId,
      source.deviceKey,
      source.sourceClass,
      source.name,
      source.customId,
      source.isEnabled,
      source.scheduleType,
      source.writeMode,
      source.revision,
    ],
  );
  return before && { deviceKey: before.device_key, workspaceId: before.workspace_id };
}

export async function deleteSources(tx: Queryable, ownerId: string, sourceIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ device_key: string }>(
    `UPDATE device_sources s SET is_deleted = true, device_key = NULL, changed_at = clock_timestamp()
     FROM (SELECT source_id, device_key FROM device_sources WHERE owner_id = $1 AND source_id = ANY($2::text[]) FOR UPDATE) old
     WHERE s.source_id = old.source_id AND old.device_key IS NOT NULL RETURNING old.device_key`,
    [ownerId, sourceIds],
  );
  return rows.map((row) => row.device_key);
}

export async function sourcesOfDevice(on: Queryable, deviceId: string): Promise<DeviceSource[]> {
  const { rows } = await on.query<SourceRow>(
    `SELECT s.* FROM devices d JOIN device_sources s
       ON s.device_key = d.device_key AND s.owner_id = d.owner_id AND s.workspace_id = d.workspace_id
     WHERE d.device_id = $1 ORDER BY s.source_id LIMIT 1000`,
    [deviceId],
    'sources-of-device',
  );
  return rows.map((row) => ({
    sourceId: row.source_id,
    ownerId: row.owner_id,
    workspaceId: row.workspace_id,
    sourceClass: row.class,
    name: row.name,
    customId: row.custom_id,
    isEnabled: row.is_enabled,
    scheduleType: row.schedule_type,
    writeMode: row.write_mode,
    revision: row.revision,
  }));
}

export async function sourcesShown(
  on: Queryable,
  deviceIds: readonly string[],
): Promise<{ deviceKey: string; source: SourceEvent['source'] }[]> {
  const { rows } = await on.query<Pick<SourceRow, 'source_id' | 'owner_id' | 'workspace_id' | 'class'> & DeviceKey>(
    `SELECT d.device_key, s.source_id, s.owner_id, s.workspace_id, s.class FROM shown_devices d
     JOIN device_sources s ON s.source_id = d.datasource_id WHERE d.device_id = ANY($1::text[])`,
    [deviceIds],
    'sources-shown',
  );
  return rows.map((row) => ({
    deviceKey: row.device_key,
    source: {
      sourceId: row.source_id,
      ownerId: row.owner_id,
      workspaceId: row.workspace_id,
      sourceClass: row.class,
    },
  }));
}

export async function missingSources(
  on: Queryable,
  listedAt: Date,
  existing: readonly string[],
): Promise<{ ownerId: string; sourceId: string }[]> {
  const { rows } = await on.query<{ owner_id: string; source_id: string }>(
    `SELECT owner_id, source_id FROM device_sources
     WHERE device_key IS NOT NULL AND changed_at < $1 AND NOT source_id = ANY($2::text[])`,
    [listedAt, existing],
  );
  return rows.map((row) => ({ ownerId: row.owner_id, sourceId: row.source_id }));
}

export async function purgeSources(on: Queryable): Promise<void> {
  await on.query(
    `DELETE FROM device_sources WHERE device_key IS NULL AND changed_at < clock_timestamp() - interval '8 days'`,
  );
}

export async function storeTime(on: Queryable): Promise<Date> {
  const { rows } = await on.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return rows[0]?.at ?? new Date(0);
}
