import type { Queryable } from '@catchment/pg';
import type { Counted } from '../usecases/ports.ts';

const COUNT = `
  INSERT INTO attempts AS a (key_sha256, count, window_ends_ms)
  SELECT DISTINCT key, 1, $2::bigint + $3::bigint FROM unnest($1::bytea[]) key ORDER BY key
  ON CONFLICT (key_sha256) DO UPDATE SET
    count = CASE WHEN a.window_ends_ms <= $2 THEN 1 ELSE least(a.count + 1, 1000000) END,
    window_ends_ms = CASE WHEN a.window_ends_ms <= $2 THEN excluded.window_ends_ms ELSE a.window_ends_ms END
  RETURNING key_sha256, count, window_ends_ms`;

/** Counts one more in a window that begins with its first; all replicas count together. */
export async function countAttempt(on: Queryable, key: Buffer, nowMs: number, windowMs: number): Promise<Counted> {
  const { rows } = await on.query<{ count: number; window_ends_ms: number }>(
    COUNT,
    [[key], nowMs, windowMs],
    'count-attempts',
  );
  return { count: rows[0]?.count ?? 1, windowEndsMs: rows[0]?.window_ends_ms ?? nowMs + windowMs };
}

export async function countAttempts(
  on: Queryable,
  keys: readonly Buffer[],
  nowMs: number,
  windowMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await on.query<{ key_sha256: Buffer; count: number }>(
    COUNT,
    [keys, nowMs, windowMs],
    'count-attempts',
  );
  return new Map(rows.map((row) => [row.key_sha256.toString('hex'), row.count]));
}

export async function forgiveAttempts(
  on: Queryable,
  cleared: readonly Buffer[],
  lowered: readonly Buffer[],
): Promise<void> {
  await on.query('DELETE FROM attempts WHERE key_sha256 = ANY ($1)', [cleared], 'clear-attempts');
  await on.query(
    'UPDATE attempts SET count = greatest(count - 1, 0) WHERE key_sha256 = ANY ($1)',
    [lowered],
    'lower-attempts',
  );
}
