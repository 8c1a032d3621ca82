import type { Queryable } from '@catchment/pg';

/** A file in the store, complete or still coming. */
export type FileRow = {
  readonly fileId: string;
  readonly ownerId: string;
  readonly segmentBytes: number;
  readonly segments: number;
};

type Row = { file_id: string; owner_id: string; segment_bytes: number; segments: number };
const COLUMNS = 'f.file_id, f.owner_id, f.segment_bytes, f.segments';
const toFile = (row: Row): FileRow => ({
  fileId: row.file_id,
  ownerId: row.owner_id,
  segmentBytes: row.segment_bytes,
  segments: row.segments,
});

/** A file that begins to come. @param dueMs when it is swept away unless more has come */
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

/** Number of unfinished uploads of an account. */
export async function countComing(on: Queryable, ownerId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    'SELECT count(*) AS n FROM files WHERE owner_id = $1 AND size_bytes IS NULL AND NOT is_removing',
    [ownerId],
    'count-coming-files',
  );
  return rows[0]?.n ?? 0;
}

const IS_COMING = 'f.file_id = $1 AND f.owner_id = $2 AND f.size_bytes IS NULL AND NOT f.is_removing';

/** A file of the account that is still coming, and where to; null: it began before this was stored. */
export async function comingFile(
  on: Queryable,
  ownerId: string,
  fileId: string,
): Promise<(FileRow & { readonly workspaceId: string | null }) | undefined> {
  const { rows } = await on.query<Row & { workspace_id: string | null }>(
    `SELECT ${COLUMNS}, f.workspace_id FROM files f WHERE ${IS_COMING}`,
    [fileId, ownerId],
    'coming-file',
  );
  return rows[0] && { ...toFile(rows[0]), workspaceId: rows[0].workspace_id };
}

/** A segment is about to be stored. @returns whether the file is still coming */
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

/**
 * A node names the file from now on, or it is kept without one until a time.
 * @param untilMs null = as long as a node names it
 * @returns whether it was still coming
 */
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

/** A file whose bytes are all there; undefined = it is gone, or goes. */
export async function storedFile(on: Queryable, fileId: string): Promise<FileRow | undefined> {
  const { rows } = await on.query<Row>(
    `SELECT ${COLUMNS} FROM files f WHERE f.file_id = $1 AND f.size_bytes IS NOT NULL AND NOT f.is_removing`,
    [fileId],
    'stored-file',
  );
  return rows[0] && toFile(rows[0]);
}

/** A file that was kept for a while is needed no longer. */
export async function releaseFile(tx: Queryable, fileId: string, nowMs: number): Promise<void> {
  await tx.query('UPDATE files SET due_ms = $2 WHERE file_id = $1', [fileId, nowMs], 'release-file');
}

/** Ends abandoned uploads: their bytes are removed next. */
export async function dropComing(on: Queryable, ownerId: string, fileId: string): Promise<FileRow | undefined> {
  const { rows } = await on.query<Row>(
    `UPDATE files f SET is_removing = true, due_ms = 0 WHERE ${IS_COMING} RETURNING ${COLUMNS}`,
    [fileId, ownerId],
    'drop-coming-file',
  );
  return rows[0] && toFile(rows[0]);
}

/** Files that are due, in the order of their time. */
export async function dueFiles(
  on: Queryable,
  nowMs: number,
  limit: number,
): Promise<{ fileId: string; ownerId: string }[]> {
  const { rows } = await on.query<Pick<Row, 'file_id' | 'owner_id'>>(
    'SELECT file_id, owner_id FROM files WHERE due_ms <= $1 ORDER BY due_ms LIMIT $2',
    [nowMs, limit],
    'due-files',
  );
  return rows.map((row) => ({ fileId: row.file_id, ownerId: row.owner_id }));
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

/** Nothing of it is left in the store. */
export async function forgetFile(on: Queryable, fileId: string): Promise<void> {
  await on.query('DELETE FROM files WHERE file_id = $1 AND is_removing', [fileId], 'forget-file');
}

/** The attachment that a link names, with what its account may. */
export async function fileOfNode(
  on: Queryable,
  nodeId: string,
): Promise<{ file: unknown; segmentBytes: number; status: string } | undefined> {
  const { rows } = await on.query<{ file: unknown; segment_bytes: number; status: string }>(
    `SELECT n.config -> 'file' AS file, f.segment_bytes, o.status FROM nodes n
     JOIN owners o USING (owner_id) JOIN files f ON f.file_id = n.config -> 'file' ->> 'id'
     WHERE n.node_id = $1 AND n.class = 'Attachment'`,
    [nodeId],
    'file-of-node',
  );
  const [row] = rows;
  return row && { file: row.file, segmentBytes: row.segment_bytes, status: row.status };
}
