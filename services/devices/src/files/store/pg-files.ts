import { DomainError } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import type { FileOutcome } from '../../reading/index.ts';
import type { FileSource } from '../../sources/index.ts';
import type { FileInWork } from '../usecases/ports.ts';
import { endImportsOf, sweepImports } from './pg-imports.ts';
import { storedOutcome } from './stored-outcome.ts';

/** An upload without a byte for this long is given up. */
const IDLE = `interval '15 minutes'`;
/** Every caller that waits for an outcome has it by then. */
const OUTCOME_KEPT = `interval '10 minutes'`;
const LEASE = `interval '30 seconds'`;
/** This many files of one account are read at a time, over all replicas. */
const OF_ONE_ACCOUNT = 2;

export async function countHeld(on: Queryable, ownerId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    'SELECT count(*) AS n FROM files WHERE owner_id = $1 AND outcome IS NULL',
    [ownerId],
    'count-held-files',
  );
  return rows[0]?.n ?? 0;
}

export async function insertFile(
  on: Queryable,
  file: { fileId: string; fileName: string; source: FileSource; segmentBytes: number },
): Promise<void> {
  const { fileId, fileName, source, segmentBytes } = file;
  await on.query(
    `INSERT INTO files (file_id, owner_id, source_id, file_name, source, segment_bytes, due_time)
     VALUES ($1, $2, $3, $4, $5, $6, now() + ${IDLE})`,
    [fileId, source.ownerId, source._id, fileName, JSON.stringify(source), segmentBytes],
    'insert-file',
  );
}

export async function saveSegment(
  on: Queryable,
  { fileId, ownerId, segment, bytes }: { fileId: string; ownerId: string; segment: number; bytes: Uint8Array },
): Promise<boolean> {
  const { rowCount } = await on.query(
    `WITH coming AS (
       UPDATE files SET due_time = now() + ${IDLE} WHERE file_id = $1 AND owner_id = $2 AND place IS NULL RETURNING file_id)
     INSERT INTO file_segments (file_id, segment, bytes) SELECT file_id, $3, $4 FROM coming
     ON CONFLICT (file_id, segment) DO UPDATE SET bytes = excluded.bytes`,
    [fileId, ownerId, segment, bytes],
    'save-file-segment',
  );
  return rowCount === 1;
}

export async function findFile(
  on: Queryable,
  ownerId: string,
  fileId: string,
): Promise<{ source: FileSource; fileName: string; isComplete: boolean } | undefined> {
  const { rows } = await on.query<{ source: FileSource; file_name: string; is_complete: boolean }>(
    'SELECT source, file_name, place IS NOT NULL AS is_complete FROM files WHERE file_id = $1 AND owner_id = $2',
    [fileId, ownerId],
    'find-file',
  );
  const [row] = rows;
  return row && { source: row.source, fileName: row.file_name, isComplete: row.is_complete };
}

export async function completeFile(
  tx: Queryable,
  {
    fileId,
    sizeBytes,
    segments,
    holdSeconds = 0,
  }: { fileId: string; sizeBytes: number; segments: number; holdSeconds?: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE files SET size_bytes = $2, place = nextval('file_places'), due_time = NULL,
       next_try = CASE WHEN $4 > 0 THEN now() + make_interval(secs => $4) ELSE '-infinity' END
     WHERE file_id = $1 AND place IS NULL AND (
       SELECT count(*) = $3 AND max(segment) = $3 - 1 AND sum(octet_length(bytes)) = $2 FROM file_segments WHERE file_id = $1)`,
    [fileId, sizeBytes, segments, holdSeconds],
    'complete-file',
  );
  return rowCount === 1;
}

export async function releaseHeld(
  on: Queryable,
  { ownerId, fileId, fileName }: { ownerId: string; fileId: string; fileName?: string },
): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE files SET file_name = coalesce($3, file_name), next_try = '-infinity'
     WHERE file_id = $1 AND owner_id = $2 AND place IS NOT NULL AND outcome IS NULL AND tries = 0`,
    [fileId, ownerId, fileName ?? null],
    'release-held-file',
  );
  return rowCount === 1;
}

export async function dropHeld(on: Queryable, ownerId: string, fileId: string): Promise<void> {
  await on.query(
    `DELETE FROM files WHERE file_id = $1 AND owner_id = $2 AND place IS NOT NULL AND outcome IS NULL AND tries = 0`,
    [fileId, ownerId],
    'drop-held-file',
  );
}

export async function dropComing(on: Queryable, ownerId: string, fileId: string): Promise<void> {
  await on.query('DELETE FROM files WHERE file_id = $1 AND owner_id = $2 AND place IS NULL', [fileId, ownerId]);
}

export async function noteMail(tx: Queryable, sourceId: string, digest: Uint8Array): Promise<boolean> {
  const { rowCount } = await tx.query(
    'INSERT INTO kept_mails (source_id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [sourceId, Buffer.from(digest)],
    'note-mail',
  );
  return rowCount === 1;
}

export async function sweepFiles(on: Queryable): Promise<void> {
  // No mail server tries for longer.
  await on.query("DELETE FROM kept_mails WHERE kept_time < now() - interval '8 days'", [], 'sweep-mails');
  await on.query('DELETE FROM files WHERE due_time < now()', [], 'sweep-files');
  await sweepImports(on);
}

export async function deleteFilesOf(tx: Queryable, sourceIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM files WHERE source_id = ANY($1)', [sourceIds], 'delete-files-of-sources');
  await tx.query('DELETE FROM last_files WHERE source_id = ANY($1)', [sourceIds], 'delete-last-files');
  await endImportsOf(tx, sourceIds);
}

export async function readPiece(
  on: Queryable,
  fileId: string,
  { segment, from, length }: { segment: number; from: number; length: number },
): Promise<Uint8Array | undefined> {
  const { rows } = await on.query<{ bytes: Buffer }>(
    'SELECT substring(bytes FROM $3 FOR $4) AS bytes FROM file_segments WHERE file_id = $1 AND segment = $2',
    [fileId, segment, from + 1, length],
    'read-file-piece',
  );
  return rows[0]?.bytes;
}

export async function claimFile(on: Queryable, leaseId: string): Promise<FileInWork | undefined> {
  const { rows } = await on.query<{
    file_id: string;
    file_name: string;
    source: FileSource;
    size_bytes: number;
    segment_bytes: number;
    records_done: number;
    tries: number;
    arrived_ms: number;
  }>(
    `UPDATE files SET lease_id = $1, lease_until = now() + ${LEASE}, tries = tries + 1
     WHERE file_id = (
       SELECT f.file_id FROM files f
       WHERE f.place IS NOT NULL AND f.outcome IS NULL AND f.lease_until < now() AND f.next_try <= now()
         AND NOT EXISTS (
           SELECT FROM files o WHERE o.source_id = f.source_id AND o.place < f.place AND o.outcome IS NULL)
         AND (SELECT count(*) FROM files r
              WHERE r.owner_id = f.owner_id AND r.outcome IS NULL AND r.lease_until >= now()) < $2
       ORDER BY f.place LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING file_id, file_name, source, size_bytes, segment_bytes, records_done, tries,
       floor(1000 * extract(epoch FROM created_time))::float8 AS arrived_ms`,
    [leaseId, OF_ONE_ACCOUNT],
    'claim-file',
  );
  const [row] = rows;
  return (
    row && {
      fileId: row.file_id,
      fileName: row.file_name,
      source: row.source,
      sizeBytes: row.size_bytes,
      segmentBytes: row.segment_bytes,
      recordsDone: row.records_done,
      tries: row.tries,
      arrivedMs: row.arrived_ms,
    }
  );
}

const OWN = 'file_id = $1 AND lease_id = $2 AND outcome IS NULL';
const lost = () => new DomainError('cancelled', 'FILE_TAKEN', 'The file was taken by another process, or is gone');

export async function renewLease(on: Queryable, fileId: string, leaseId: string, recordsDone?: number): Promise<void> {
  const { rowCount } = await on.query(
    `UPDATE files SET lease_until = now() + ${LEASE}, records_done = coalesce($3, records_done) WHERE ${OWN}`,
    [fileId, leaseId, recordsDone ?? null],
    'renew-file-lease',
  );
  if (rowCount === 0) throw lost();
}

export async function releaseFile(
  on: Queryable,
  { fileId, leaseId, counts, waitSeconds }: { fileId: string; leaseId: string; counts: boolean; waitSeconds: number },
): Promise<void> {
  await on.query(
    `UPDATE files SET lease_until = '-infinity', next_try = now() + make_interval(secs => $4),
       tries = tries - CASE WHEN $3 THEN 0 ELSE 1 END
     WHERE ${OWN}`,
    [fileId, leaseId, counts, waitSeconds],
    'release-file',
  );
}

export async function settleFile(tx: Queryable, fileId: string, leaseId: string, outcome: FileOutcome): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE files SET outcome = $3, due_time = now() + ${OUTCOME_KEPT}, lease_until = '-infinity' WHERE ${OWN}`,
    [fileId, leaseId, JSON.stringify(outcome)],
    'settle-file',
  );
  if (rowCount === 0) throw lost();
  await tx.query('DELETE FROM file_segments WHERE file_id = $1', [fileId], 'drop-file-segments');
}

export async function readOutcome(on: Queryable, fileId: string): Promise<FileOutcome | undefined> {
  const { rows } = await on.query<{ outcome: FileOutcome | null }>(
    'SELECT outcome FROM files WHERE file_id = $1',
    [fileId],
    'read-file-outcome',
  );
  const stored = rows[0]?.outcome;
  return stored ? storedOutcome(stored) : undefined;
}
