import type { Queryable } from '@catchment/pg';
import type { FetchedFile } from '../../files/index.ts';

type Row = {
  key: string;
  is_ignored: boolean;
  size_bytes: number | null;
  modified_ms: number | null;
  version: string | null;
  head: string | null;
  read_to: number | null;
  lines: number | null;
  acquire_time_ms: number | null;
  records_until_ms: number | null;
};

export async function fetchedFiles(on: Queryable, sourceId: string, keys: readonly string[]): Promise<FetchedFile[]> {
  const { rows } = await on.query<Row>(
    `SELECT key, is_ignored, size_bytes::float8, modified_ms::float8, version, head, read_to::float8, lines::float8,
       acquire_time_ms::float8, records_until_ms::float8
     FROM fetched_files WHERE source_id = $1 AND key = ANY($2)`,
    [sourceId, keys],
    'fetched-files',
  );
  return rows.map((row) => ({
    key: row.key,
    isIgnored: row.is_ignored,
    ...(row.size_bytes !== null && { sizeBytes: row.size_bytes }),
    ...(row.modified_ms !== null && { modifiedMs: row.modified_ms }),
    ...(row.version !== null && { version: row.version }),
    ...(row.head !== null && { head: row.head }),
    ...(row.read_to !== null && { readTo: row.read_to }),
    ...(row.lines !== null && { lines: row.lines }),
    ...(row.acquire_time_ms !== null && { acquireTimeMs: row.acquire_time_ms }),
    ...(row.records_until_ms !== null && { recordsUntilMs: row.records_until_ms }),
  }));
}

export async function saveFetchedFile(on: Queryable, sourceId: string, file: FetchedFile): Promise<void> {
  await on.query(
    `INSERT INTO fetched_files AS known
       (source_id, key, is_ignored, size_bytes, modified_ms, version, head, read_to, lines, acquire_time_ms)
     VALUES ($1, $2, false, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (source_id, key) DO UPDATE SET
       is_ignored = false, size_bytes = excluded.size_bytes, modified_ms = excluded.modified_ms, version = excluded.version,
       head = excluded.head, read_to = excluded.read_to, lines = excluded.lines, acquire_time_ms = excluded.acquire_time_ms,
       records_until_ms = CASE WHEN known.acquire_time_ms IS NOT DISTINCT FROM excluded.acquire_time_ms
         THEN known.records_until_ms END`,
    [
      sourceId,
      file.key,
      file.sizeBytes ?? null,
      file.modifiedMs === undefined ? null : Math.trunc(file.modifiedMs),
      file.version ?? null,
      file.head ?? null,
      file.readTo ?? null,
      file.lines ?? null,
      file.acquireTimeMs ?? null,
    ],
    'save-fetched-file',
  );
}

export async function ignoreFiles(on: Queryable, sourceId: string, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await on.query<{ key: string }>(
    `INSERT INTO fetched_files AS known (source_id, key, is_ignored) SELECT $1, unnest($2::text[]), true
     ON CONFLICT (source_id, key) DO UPDATE SET is_ignored = true, size_bytes = NULL, read_to = NULL, version = NULL
       WHERE NOT known.is_ignored
     RETURNING key`,
    [sourceId, keys],
    'ignore-files',
  );
  return new Set(rows.map(({ key }) => key));
}

export async function saveRecordsUntil(on: Queryable, sourceId: string, key: string, untilMs: number): Promise<void> {
  await on.query(
    `UPDATE fetched_files SET records_until_ms = greatest(records_until_ms, $3) WHERE source_id = $1 AND key = $2`,
    [sourceId, key, untilMs],
    'save-records-until',
  );
}

export async function forgetFetchedFiles(
  on: Queryable,
  sourceId: string,
  files: { readonly keys: readonly string[] } | { readonly but: readonly string[] },
): Promise<void> {
  if ('keys' in files)
    await on.query(
      'DELETE FROM fetched_files WHERE source_id = $1 AND key = ANY($2)',
      [sourceId, files.keys],
      'forget-fetched-files',
    );
  else
    await on.query(
      'DELETE FROM fetched_files WHERE source_id = $1 AND NOT key = ANY($2)',
      [sourceId, files.but],
      'forget-missing-files',
    );
}

export async function hostKey(on: Queryable, sourceId: string, target: string): Promise<string | undefined> {
  const { rows } = await on.query<{ fingerprint: string }>(
    'SELECT fingerprint FROM host_keys WHERE source_id = $1 AND target = $2',
    [sourceId, target],
    'host-key',
  );
  return rows[0]?.fingerprint;
}

export async function saveHostKey(on: Queryable, sourceId: string, target: string, fingerprint: string): Promise<void> {
  await on.query(
    `INSERT INTO host_keys (source_id, target, fingerprint) VALUES ($1, $2, $3)
     ON CONFLICT (source_id, target) DO UPDATE SET fingerprint = excluded.fingerprint`,
    [sourceId, target, fingerprint],
    'save-host-key',
  );
}

export async function forgetDownloads(on: Queryable, sourceIds: readonly string[]): Promise<void> {
  await on.query('DELETE FROM fetched_files WHERE source_id = ANY($1)', [sourceIds], 'forget-files-of-sources');
  await on.query('DELETE FROM host_keys WHERE source_id = ANY($1)', [sourceIds], 'forget-host-keys-of-sources');
}
