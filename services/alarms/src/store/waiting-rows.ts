import { unavailable } from '@catchment/errors';
import { decodeBatch, encodeEntries, needsVerdict } from '@catchment/ingest-log';
import type { Queryable } from '@catchment/pg';
import type { EntryPlace, PlacedEntry, Verdict, WaitingSeries } from '../usecases/ports.ts';

/** What may wait in a partition: beyond that its reader stops until historic has said more. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** What is evaluated of a series at a time; one entry in any case. */
const BYTES_AT_ONCE = 1024 * 1024;

const sequencesOf = (places: readonly EntryPlace[]) => places.map(({ sequence }) => sequence);
const indexesOf = (places: readonly EntryPlace[]) => places.map(({ index }) => index);

export async function keepWaiting(tx: Queryable, partition: number, entries: readonly PlacedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `INSERT INTO waiting_entries (partition, log_sequence, entry, node_id, data, needs_verdict, message_ms)
     SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::bytea[], $6::boolean[], $7::bigint[])
     ON CONFLICT (partition, log_sequence, entry) DO UPDATE SET data = excluded.data, message_ms = excluded.message_ms`,
    [
      partition,
      sequencesOf(entries),
      indexesOf(entries),
      entries.map(({ nodeId }) => nodeId),
      entries.map(({ entry }) => Buffer.from(encodeEntries([entry], Number.POSITIVE_INFINITY, () => '')[0] ?? [])),
      entries.map(({ entry }) => entry.kind === 'column' && needsVerdict(entry.column)),
      entries.map(({ messageMs }) => messageMs ?? null),
    ],
    'keep-waiting',
  );
  const { rows } = await tx.query<{ entries: number; bytes: number }>(
    `SELECT count(*) AS entries, coalesce(sum(octet_length(data)), 0)::bigint AS bytes FROM waiting_entries
     WHERE partition = $1 AND data IS NOT NULL`,
    [partition],
    'count-waiting',
  );
  const [total = { entries: 0, bytes: 0 }] = rows;
  if (total.entries > MAX_ENTRIES || total.bytes > MAX_BYTES) throw unavailable('TOO_MANY_ENTRIES_WAIT');
}

export async function waitingOf(
  tx: Queryable,
  nodeIds: readonly string[],
  limit: number,
): Promise<readonly PlacedEntry[]> {
  const { rows } = await tx.query<{
    log_sequence: number;
    entry: number;
    node_id: string;
    data: Buffer;
    written: Buffer | null;
    message_ms: number | null;
  }>(
    `SELECT log_sequence, entry, node_id, data, written, message_ms FROM (
       SELECT *, row_number() OVER earlier AS place, sum(octet_length(data)) OVER earlier AS bytes
       FROM waiting_entries WHERE node_id = ANY($1::text[]) AND data IS NOT NULL
       WINDOW earlier AS (PARTITION BY node_id ORDER BY log_sequence, entry)) w
     WHERE place = 1 OR (place <= $2 AND bytes <= $3) ORDER BY log_sequence, entry`,
    [nodeIds, limit, BYTES_AT_ONCE],
    'waiting-of',
  );
  return rows.flatMap((row): PlacedEntry[] => {
    const [entry] = decodeBatch(row.data);
    if (entry?.kind !== 'column' && entry?.kind !== 'seriesDelete') return [];
    const place = { sequence: row.log_sequence, index: row.entry };
    const { node_id: nodeId, written, message_ms: messageMs } = row;
    return [{ ...place, nodeId, entry, written: written ?? undefined, messageMs: messageMs ?? undefined }];
  });
}

export async function removeWaiting(tx: Queryable, partition: number, places: readonly EntryPlace[]): Promise<void> {
  if (places.length === 0) return;
  await tx.query(
    `DELETE FROM waiting_entries w USING unnest($2::bigint[], $3::int[]) AS p (log_sequence, entry)
     WHERE w.partition = $1 AND w.log_sequence = p.log_sequence AND w.entry = p.entry`,
    [partition, sequencesOf(places), indexesOf(places)],
    'remove-waiting',
  );
}

export async function verdictsOf(tx: Queryable, partition: number, sequence: number): Promise<Map<number, Uint8Array>> {
  const { rows } = await tx.query<{ entry: number; written: Buffer }>(
    'SELECT entry, written FROM waiting_entries WHERE partition = $1 AND log_sequence = $2 AND written IS NOT NULL',
    [partition, sequence],
    'verdicts-of',
  );
  return new Map(rows.map(({ entry, written }) => [entry, written]));
}

/** Verdicts on messages that the log's reader has finished are kept only where something waits for them. The same may be said twice. */
export async function saveVerdicts(tx: Queryable, partition: number, verdicts: readonly Verdict[]): Promise<void> {
  await tx.query(
    `INSERT INTO waiting_entries (partition, log_sequence, entry, node_id, needs_verdict, written)
     SELECT DISTINCT ON (v.log_sequence, v.entry) $1::int, v.log_sequence, v.entry, v.node_id, true, v.written
     FROM unnest($2::bigint[], $3::int[], $4::text[], $5::bytea[]) AS v (log_sequence, entry, node_id, written)
     JOIN progress p ON p.partition = $1
     LEFT JOIN waiting_entries w ON (w.partition, w.log_sequence, w.entry) = ($1, v.log_sequence, v.entry)
     WHERE v.log_sequence > p.log_sequence OR w.node_id IS NOT NULL
     ON CONFLICT (partition, log_sequence, entry) DO UPDATE SET written = excluded.written`,
    [
      partition,
      sequencesOf(verdicts),
      indexesOf(verdicts),
      verdicts.map(({ nodeId }) => nodeId),
      verdicts.map(({ written }) => Buffer.from(written)),
    ],
    'save-verdicts',
  );
}

export async function readyToGoOn(
  on: Queryable,
  settled: ReadonlyMap<number, number>,
  limit: number,
): Promise<WaitingSeries[]> {
  const { rows } = await on.query<{ partition: number; node_id: string; owner_id: string }>(
    `SELECT w.partition, w.node_id, s.owner_id FROM (
       SELECT DISTINCT ON (node_id) partition, node_id, log_sequence, since_time, needs_verdict AND written IS NULL AS is_unsaid
       FROM waiting_entries WHERE data IS NOT NULL ORDER BY node_id, log_sequence, entry) w
     JOIN series s USING (node_id) LEFT JOIN unnest($1::int[], $2::bigint[]) AS t (partition, log_sequence) USING (partition)
     WHERE NOT w.is_unsaid OR w.log_sequence <= t.log_sequence ORDER BY w.since_time LIMIT $3`,
    [[...settled.keys()], [...settled.values()], limit],
    'ready-to-go-on',
  );
  return rows.map((row) => ({ partition: row.partition, nodeId: row.node_id, ownerId: row.owner_id }));
}
