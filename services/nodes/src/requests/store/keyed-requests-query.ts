import type { Queryable } from '@catchment/pg';
import type { KnownRequest } from '../domain/keyed-request.ts';
import type { RequestKey } from '../usecases/ports.ts';

type Row = {
  request_id: string;
  head_sha256: Buffer;
  body_sha256: Buffer | null;
  arrival_ms: number;
  try_number: number;
  is_held: boolean;
  has_died: boolean;
  is_done: boolean;
  status: number | null;
  content_type: string | null;
  body: Buffer | null;
};

/** Holds the row until the transaction ends. @returns undefined where it is gone */
export async function lockRequest(
  tx: Queryable,
  { ownerId, keySha256 }: RequestKey,
): Promise<KnownRequest | undefined> {
  const { rows } = await tx.query<Row>(
    `SELECT request_id, head_sha256, body_sha256, arrival_ms, try_number, status, content_type, body,
       coalesce(held_until > clock_timestamp(), false) AS is_held, held_until IS NOT NULL AS has_died,
       done_by IS NOT NULL AS is_done
     FROM keyed_requests WHERE owner_id = $1 AND key_sha256 = $2 FOR UPDATE`,
    [ownerId, keySha256],
    'lock-request',
  );
  const [row] = rows;
  return row && knownOf(row);
}

const knownOf = (row: Row): KnownRequest => ({
  requestId: row.request_id,
  headSha256: row.head_sha256,
  bodySha256: row.body_sha256 ?? undefined,
  arrivalMs: row.arrival_ms,
  tryNumber: row.try_number,
  isHeld: row.is_held,
  hasDied: row.has_died && !row.is_held,
  isDone: row.is_done,
  answer:
    row.status === null
      ? undefined
      : {
          status: row.status,
          contentType: row.content_type ?? '',
          body: row.body ?? undefined,
          bodySha256: row.body_sha256 ?? Buffer.alloc(0),
        },
});

/** Counts what an account has kept. */
export async function keptOf(on: Queryable, ownerId: string): Promise<{ requests: number; bytes: number }> {
  const { rows } = await on.query<{ requests: number; bytes: number }>(
    `SELECT count(*) AS requests, coalesce(sum(octet_length(body)), 0)::bigint AS bytes
     FROM keyed_requests WHERE owner_id = $1`,
    [ownerId],
    'kept-requests',
  );
  return rows[0] ?? { requests: 0, bytes: 0 };
}
