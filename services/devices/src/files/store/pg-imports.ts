import type { Queryable } from '@catchment/pg';
import type { FileOutcome } from '../../reading/index.ts';
import type { FileSource } from '../../sources/index.ts';
import type { Import, ImportEnd, ImportedFile, ImportState } from '../domain/import.ts';
import { storedOutcome } from './stored-outcome.ts';

/** People can ask so long what became of an import. */
const KEPT = `interval '7 days'`;

export async function countImports(on: Queryable, ownerId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    `SELECT count(*) AS n FROM files WHERE owner_id = $1 AND outcome IS NULL AND source ? 'importing'`,
    [ownerId],
    'count-imports',
  );
  return rows[0]?.n ?? 0;
}

export async function insertImport(
  tx: Queryable,
  { ownedBy, file }: { ownedBy: { ownerId: string; userId: string }; file: ImportedFile },
): Promise<void> {
  const { fileId, fileName, sizeBytes, source } = file;
  await tx.query(
    `WITH settled AS (UPDATE files SET file_name = $5, source = $7 WHERE file_id = $1)
     INSERT INTO imports (import_id, owner_id, user_id, node_id, workspace_id, file_name, size_bytes)
     VALUES ($1, $2, $3, $4, $8, $5, $6)`,
    [
      fileId,
      ownedBy.ownerId,
      ownedBy.userId,
      source._id,
      fileName,
      sizeBytes,
      JSON.stringify(source),
      source.workspaceId,
    ],
    'insert-import',
  );
}

type ImportRow = {
  import_id: string;
  node_id: string;
  workspace_id: string;
  file_name: string;
  size_bytes: number;
  state: ImportState;
  records_total: number | null;
  records_done: number;
  outcome: FileOutcome | null;
  created_ms: number;
  ended_ms: number | null;
  source: FileSource | null;
};

const IMPORTS = `SELECT i.import_id, i.node_id, i.workspace_id, i.file_name, i.size_bytes, i.records_total, i.outcome,
       coalesce(i.end_state, CASE WHEN f.lease_until >= now() THEN 'RUNNING' ELSE 'WAITING' END) AS state,
       CASE WHEN i.end_state IS NULL THEN coalesce(f.records_done, 0) ELSE i.records_done END AS records_done,
       floor(1000 * extract(epoch FROM i.created_time))::float8 AS created_ms,
       floor(1000 * extract(epoch FROM i.ended_time))::float8 AS ended_ms, f.source
     FROM imports i LEFT JOIN files f ON f.file_id = i.import_id`;

const toImport = (row: ImportRow): Import => ({
  importId: row.import_id,
  nodeId: row.node_id,
  workspaceId: row.workspace_id,
  fileName: row.file_name,
  sizeBytes: row.size_bytes,
  state: row.state,
  recordsTotal: row.records_total,
  recordsDone: row.records_done,
  outcome: row.outcome && storedOutcome(row.outcome),
  createdMs: row.created_ms,
  endedMs: row.ended_ms,
  source: row.source,
});

export async function findImport(
  on: Queryable,
  { ownerId, userId, importId }: { ownerId: string; userId: string; importId: string },
): Promise<Import | undefined> {
  const { rows } = await on.query<ImportRow>(
    `${IMPORTS} WHERE i.import_id = $1 AND i.owner_id = $2 AND i.user_id = $3`,
    [importId, ownerId, userId],
    'find-import',
  );
  return rows[0] && toImport(rows[0]);
}

/** Lists the imports of a user that are still kept, newest first. */
export async function listImports(
  on: Queryable,
  { ownerId, userId, limit }: { ownerId: string; userId: string; limit: number },
): Promise<readonly Import[]> {
  const { rows } = await on.query<ImportRow>(
    `${IMPORTS} WHERE i.owner_id = $1 AND i.user_id = $2 ORDER BY i.created_time DESC, i.import_id DESC LIMIT $3`,
    [ownerId, userId, limit],
    'list-imports',
  );
  return rows.map(toImport);
}

export async function saveImportTotal(on: Queryable, importId: string, records: number): Promise<void> {
  await on.query(
    'UPDATE imports SET records_total = $2 WHERE import_id = $1',
    [importId, records],
    'save-import-total',
  );
}

export async function endImport(tx: Queryable, importId: string, { state, outcome }: ImportEnd): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE imports SET end_state = $2, outcome = $3, ended_time = now(),
       records_done = coalesce((SELECT records_done FROM files WHERE file_id = $1), records_done)
     WHERE import_id = $1 AND end_state IS NULL`,
    [importId, state, outcome === null ? null : JSON.stringify(outcome)],
    'end-import',
  );
  return rowCount === 1;
}

/** Nodes are gone, and with them what was to be imported. */
export async function endImportsOf(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE imports SET end_state = 'CANCELLED', ended_time = now() WHERE node_id = ANY($1) AND end_state IS NULL`,
    [nodeIds],
    'end-imports-of-nodes',
  );
}

export async function sweepImports(on: Queryable): Promise<void> {
  await on.query(`DELETE FROM imports WHERE ended_time < now() - ${KEPT}`, [], 'sweep-imports');
}

export async function dropFile(tx: Queryable, fileId: string): Promise<void> {
  await tx.query('DELETE FROM files WHERE file_id = $1', [fileId], 'drop-file');
}
