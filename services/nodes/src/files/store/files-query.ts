import type { Queryable } from '@catchment/pg';
import type { FileRow } from '../usecases/ports.ts';

export type Row = { file_id: string; owner_id: string; segment_bytes: number; segments: number };

export const COLUMNS = 'f.file_id, f.owner_id, f.segment_bytes, f.segments';

export const toFile = (row: Row): FileRow => ({
  fileId: row.file_id,
  ownerId: row.owner_id,
  segmentBytes: row.segment_bytes,
  segments: row.segments,
});

/** Counts unfinished uploads of an account. */
export async function countComing(on: Queryable, ownerId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    'SELECT count(*) AS n FROM files WHERE owner_id = $1 AND size_bytes IS NULL AND NOT is_removing',
    [ownerId],
    'count-coming-files',
  );
  return rows[0]?.n ?? 0;
}

export const IS_COMING = 'f.file_id = $1 AND f.owner_id = $2 AND f.size_bytes IS NULL AND NOT f.is_removing';

/** Reads a file of the account that is still coming, and where to; null: it began before this was stored. */
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

/** Reads a file whose bytes are all there; undefined = it is gone, or goes. */
export async function storedFile(on: Queryable, fileId: string): Promise<FileRow | undefined> {
  const { rows } = await on.query<Row>(
    `SELECT ${COLUMNS} FROM files f WHERE f.file_id = $1 AND f.size_bytes IS NOT NULL AND NOT f.is_removing`,
    [fileId],
    'stored-file',
  );
  return rows[0] && toFile(rows[0]);
}

/** Reads files that are due, in the order of their time. */
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

/** Reads the attachment that a link names, with what its account may. */
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
