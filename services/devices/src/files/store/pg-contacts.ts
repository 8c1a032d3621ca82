import type { Queryable } from '@catchment/pg';
import type { FileOutcome } from '../../reading/index.ts';
import type { Status } from '../../schedules/index.ts';
import type { Contact, LastFile } from '../domain/contact.ts';
import { storedOutcome } from './stored-outcome.ts';

export async function saveLastFile(tx: Queryable, { ownerId, sourceId, ...file }: LastFile): Promise<void> {
  await tx.query(
    `INSERT INTO last_files (source_id, owner_id, file_name, size_bytes, time_ms, outcome) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (source_id) DO UPDATE SET file_name = excluded.file_name, size_bytes = excluded.size_bytes,
       time_ms = excluded.time_ms, outcome = excluded.outcome
     WHERE last_files.outcome ? 'refusal' OR excluded.outcome #>> '{refusal,reason}' IS DISTINCT FROM 'FILE_IGNORED'`,
    [sourceId, ownerId, file.fileName, file.sizeBytes, file.timeMs, JSON.stringify(file.outcome)],
    'save-last-file',
  );
}

export async function contactOf(on: Queryable, ownerId: string, sourceId: string): Promise<Contact> {
  const { rows } = await on.query<{
    status: Status | null;
    next_ms: number | null;
    interval_ms: number | null;
    waiting: number;
    file_name: string | null;
    size_bytes: number | null;
    time_ms: number | null;
    outcome: FileOutcome | null;
    device_id: string | null;
    is_connected: boolean | null;
    last_connected_ms: number | null;
  }>(
    `SELECT a.status, a.next_ms, CASE WHEN a.schedule_type = 'SERVER' THEN a.interval_ms END AS interval_ms, f.file_name, f.size_bytes, f.time_ms, f.outcome,
       d.device_id, d.is_connected, d.last_connected_ms,
       (SELECT count(*)::int FROM files w WHERE w.source_id = $2 AND w.place IS NOT NULL AND w.outcome IS NULL) AS waiting
     FROM (SELECT $1::text AS owner_id, $2::text AS source_id) s
     LEFT JOIN acquisitions a ON a.source_id = s.source_id AND a.owner_id = s.owner_id AND NOT a.is_deleted
     LEFT JOIN last_files f ON f.source_id = s.source_id AND f.owner_id = s.owner_id
     LEFT JOIN shown_devices d
       ON d.owner_id = s.owner_id AND d.device_key = a.device_key AND d.workspace_id = a.workspace_id`,
    [ownerId, sourceId],
    'contact-of-source',
  );
  const [row] = rows;
  return {
    status: row?.status ?? undefined,
    nextMs: row?.next_ms ?? undefined,
    waitingFiles: row?.waiting ?? 0,
    intervalMs: row?.interval_ms ?? undefined,
    ...(row?.outcome && {
      lastFile: {
        ownerId,
        sourceId,
        fileName: row.file_name ?? '',
        timeMs: row.time_ms ?? 0,
        sizeBytes: row.size_bytes ?? 0,
        outcome: storedOutcome(row.outcome),
      },
    }),
    ...(row?.device_id && {
      device: {
        deviceId: row.device_id,
        isConnected: row.is_connected ?? false,
        lastConnectedMs: row.last_connected_ms ?? undefined,
      },
    }),
  };
}
