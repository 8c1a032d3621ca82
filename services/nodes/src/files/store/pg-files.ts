import type { Queryable } from '@catchment/pg';
import type { FileRow } from '../usecases/ports.ts';
import { COLUMNS, IS_COMING, type Row, toFile } from './files-query.ts';

export async function insertFile(
  on: Queryable,
  file: { fileId: string; ownerId: string; workspaceId: string; segmentBytes: number; dueMs: number },
): Promise<void> {
  await on.query(
    'INSERT INTO files (file_id, owner_id, workspace_id, segment_bytes, due_ms) VALUES ($1, $2, $3, $4, $5)',
    [file.fileId, file.ownerId, file.workspaceId, file.segmentBytes, file.dueMs],
    'insert-file',
  );
}

export async function expectSegment(
  on: Queryable,
  { ownerId, fileId }: { ownerId: string; fileId: string },
  index: number,
  dueMs: number,
): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE files f SET segments = greatest(f.segments, $3), due_ms = $4 WHERE ${IS_COMING}`,
    [fileId, ownerId, index + 1, dueMs],
    'expect-segment',
  );
  return rowCount === 1;
}

export async function keepFile(
  tx: Queryable,
  ownerId: string,
  fileId: string,
  sizeBytes: number,
  untilMs: number | null = null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE files f SET size_bytes = $3, due_ms = $4 WHERE ${IS_COMING}`,
    [fileId, ownerId, sizeBytes, untilMs],
    'keep-file',
  );
  return rowCount === 1;
}

/** A file that was kept for a while is needed no longer. */
export async function releaseFile(tx: Queryable, fileId: string, nowMs: number): Promise<void> {
  await tx.query('UPDATE files SET due_ms = $2 WHERE file_id = $1', [fileId, nowMs], 'release-file');
}

export async function dropComing(on: Queryable, ownerId: string, fileId: string): Promise<FileRow | undefined> {
  const { rows } = await on.query<Row>(
    `UPDATE files f SET is_removing = true, due_ms = 0 WHERE ${IS_COMING} RETURNING ${COLUMNS}`,
    [fileId, ownerId],
    'drop-coming-file',
  );
  return rows[0] && toFile(rows[0]);
}

/**
 * Takes a due file for removal; one that a node still names is left alone. Nodes of the account change meanwhile no more, and a
 * file never gets a node again: only a node that has it can be copied.
 */
export async function claimFile(
  tx: Queryable,
  { fileId, ownerId }: { fileId: string; ownerId: string },
  nowMs: number,
): Promise<FileRow | undefined> {
  await tx.query('SELECT 1 FROM owners WHERE owner_id = $1 FOR NO KEY UPDATE', [ownerId], 'lock-owner-of-file');
  const { rows } = await tx.query<Row & { due_ms: number | null }>(
    `UPDATE files f SET is_removing = NOT k.is_named, due_ms = CASE WHEN k.is_named THEN NULL ELSE f.due_ms END
     FROM (SELECT EXISTS (SELECT FROM nodes n WHERE n.config -> 'file' ->> 'id' = $1) AS is_named) k
     WHERE f.file_id = $1 AND f.due_ms <= $2
     RETURNING ${COLUMNS}, f.due_ms`,
    [fileId, nowMs],
    'claim-file',
  );
  return rows[0] && rows[0].due_ms !== null ? toFile(rows[0]) : undefined;
}

export async function forgetFile(on: Queryable, fileId: string): Promise<void> {
  await on.query('DELETE FROM files WHERE file_id = $1 AND is_removing', [fileId], 'forget-file');
}
