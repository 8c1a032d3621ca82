import { DomainError } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { type Answer, KEPT_HOURS } from '../domain/keyed-request.ts';
import type { NewRequest, RequestKey, Try } from '../usecases/ports.ts';

const KEPT = `make_interval(hours => ${KEPT_HOURS})`;

export async function insertRequest(tx: Queryable, key: RequestKey, made: NewRequest): Promise<boolean> {
  const { ownerId, keySha256 } = key;
  // A request over its time is another request, whether it was swept or not.
  await tx.query(
    `DELETE FROM keyed_requests WHERE owner_id = $1 AND key_sha256 = $2 AND begun_at < now() - ${KEPT}`,
    [ownerId, keySha256],
    'drop-old-request',
  );
  const { requestId, headSha256, bodySha256, arrivalMs, holdSeconds } = made;
  const { rowCount } = await tx.query(
    `INSERT INTO keyed_requests (owner_id, key_sha256, request_id, head_sha256, body_sha256, arrival_ms, held_until)
     VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7)) ON CONFLICT DO NOTHING`,
    [ownerId, keySha256, requestId, headSha256, bodySha256.length > 0 ? bodySha256 : null, arrivalMs, holdSeconds],
    'insert-request',
  );
  return rowCount === 1;
}

export async function beginTry(tx: Queryable, key: RequestKey, holdSeconds: number): Promise<void> {
  await tx.query(
    `UPDATE keyed_requests SET try_number = try_number + 1, held_until = clock_timestamp() + make_interval(secs => $3)
     WHERE owner_id = $1 AND key_sha256 = $2`,
    [key.ownerId, key.keySha256, holdSeconds],
    'begin-try',
  );
}

export async function endTry(
  on: Queryable,
  ownerId: string,
  { id, tryNumber }: Try,
  answer: Answer | undefined,
): Promise<void> {
  await on.query(
    `UPDATE keyed_requests SET held_until = NULL, status = $4, content_type = $5, body = $6, body_sha256 = coalesce($7, body_sha256)
     WHERE owner_id = $1 AND request_id = $2 AND (try_number = $3 OR done_by = $3) AND status IS NULL`,
    [
      ownerId,
      id,
      tryNumber,
      answer?.status ?? null,
      answer?.contentType ?? null,
      answer?.body ?? null,
      answer?.bodySha256 ?? null,
    ],
    'end-try',
  );
}

export async function markDone(tx: Queryable, { id, tryNumber }: Try): Promise<void> {
  const { rows } = await tx.query<{ is_own: boolean }>(
    `UPDATE keyed_requests SET done_by = coalesce(done_by, $2)
     WHERE request_id = $1 AND pg_current_xact_id_if_assigned() IS NOT NULL RETURNING done_by = $2 AS is_own`,
    [id, tryNumber],
    'mark-request-done',
  );
  if (rows[0]?.is_own === false)
    throw new DomainError('conflict', 'REQUEST_DONE', 'Idempotency-Key: an earlier try of the request was carried out');
}

export async function dropOld(on: Queryable, limit: number): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM keyed_requests WHERE request_id IN
       (SELECT request_id FROM keyed_requests WHERE begun_at < now() - ${KEPT} ORDER BY begun_at LIMIT $1)`,
    [limit],
    'drop-old-requests',
  );
  return rowCount;
}
