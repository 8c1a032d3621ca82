import { unavailable } from '@catchment/errors';
import { decodeBatch, encodeEntries, needsVerdict } from '@catchment/ingest-log';
import type { Queryable } from '@catchment/pg';
import type { EntryPlace, PlacedEntry } from '../domain/evaluation/placed-entry.ts';
import type { Verdict, WaitingEntries, WaitingEntry, WaitingLimits, WaitingSeries } from '../usecases/ports.ts';

/**
 * This much may wait in a partition: beyond that its reader stops until historic has said more. Four partitions may hold
 * as much as the ingest log, so writes are refused before.
 */
export const WAITING_LIMITS: WaitingLimits = { entries: 1_000_000, bytes: 512 * 1024 * 1024 };
/** Counting reads all that waits in a partition: it is done once for each such share of the limits that was kept. */
const COUNTS_IN_LIMIT = 20;

const sequencesOf = (places: readonly EntryPlace[]) => places.map(({ sequence }) => sequence);
const indexesOf = (places: readonly EntryPlace[]) => places.map(({ index }) => index);

/** Keeps entries that wait, within limits. */
export class WaitingRoom {
  readonly #limits: WaitingLimits;
  /** Each partition may keep this much before it is counted again. */
  readonly #free = new Map<number, WaitingLimits>();

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** @throws DomainError unavailable when too much of the partition waits */
  async keep(tx: Queryable, partition: number, entries: readonly PlacedEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const data = entries.map(({ entry }) =>
      Buffer.from(encodeEntries([entry], Number.POSITIVE_INFINITY, () => '')[0] ?? []),
    );
    await tx.query(
      `INSERT INTO waiting_entries (partition, log_sequence, entry, node_id, data, needs_verdict, message_ms)
       SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::bytea[], $6::boolean[], $7::bigint[])
       ON CONFLICT (partition, log_sequence, entry) DO UPDATE SET data = excluded.data, message_ms = excluded.message_ms`,
      [
        partition,
        sequencesOf(entries),
        indexesOf(entries),
        entries.map(({ nodeId }) => nodeId),
        data,
        entries.map(({ entry }) => entry.kind === 'column' && needsVerdict(entry.column)),
        entries.map(({ messageMs }) => messageMs),
      ],
      'keep-waiting',
    );
    const free = this.#free.get(partition) ?? { entries: 0, bytes: 0 };
    const bytes = data.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const left = { entries: free.entries - entries.length, bytes: free.bytes - bytes };
    this.#free.set(partition, left.entries < 0 || left.bytes < 0 ? await this.#count(tx, partition) : left);
  }

  async #count(tx: Queryable, partition: number): Promise<WaitingLimits> {
    const { rows } = await tx.query<WaitingLimits>(
      `SELECT count(*) AS entries, coalesce(sum(octet_length(data)), 0)::bigint AS bytes FROM waiting_entries
       WHERE partition = $1 AND data IS NOT NULL`,
      [partition],
      'count-waiting',
    );
    const [total = { entries: 0, bytes: 0 }] = rows;
    const { entries, bytes } = this.#limits;
    if (total.entries > entries || total.bytes > bytes) throw unavailable('TOO_MANY_ENTRIES_WAIT');
    return {
      entries: Math.min(entries / COUNTS_IN_LIMIT, entries - total.entries),
      bytes: Math.min(bytes / COUNTS_IN_LIMIT, bytes - total.bytes),
    };
  }
}

/**
 * Reads the first entries that wait of each series, within `most` together, in order; one of each series in any case. What a message did to
 * a series stays together: the removal of a range and what fills it are one change.
 */
export async function waitingOf(
  tx: Queryable,
  nodeIds: readonly string[],
  most: WaitingLimits,
): Promise<WaitingEntries> {
  const { rows } = await tx.query<{
    log_sequence: number;
    entry: number;
    node_id: string;
    data: Buffer;
    written: Buffer | null;
    message_ms: number;
    has_more: boolean;
    is_settled: boolean;
  }>(
    `SELECT w.log_sequence, w.entry, w.node_id, w.data, w.written, w.message_ms, t.has_more,
       coalesce(w.log_sequence <= s.log_sequence, false) AS is_settled
     FROM unnest($1::text[]) AS n (node_id) CROSS JOIN LATERAL (
       SELECT last, newest > last OR count >= $2 AS has_more FROM (
         SELECT max(log_sequence) FILTER (WHERE place = 1 OR bytes <= $3) AS last, max(log_sequence) AS newest, count(*) AS count FROM (
           SELECT log_sequence, row_number() OVER earlier AS place, sum(octet_length(data)) OVER earlier AS bytes FROM (
             SELECT log_sequence, entry, data FROM waiting_entries
             WHERE node_id = n.node_id AND data IS NOT NULL ORDER BY log_sequence, entry LIMIT $2) f
           WINDOW earlier AS (ORDER BY log_sequence, entry)) p) c) t
     JOIN waiting_entries w ON w.node_id = n.node_id AND w.data IS NOT NULL AND w.log_sequence <= t.last
     LEFT JOIN settled s ON s.partition = w.partition
     ORDER BY w.log_sequence, w.entry`,
    [nodeIds, Math.ceil(most.entries / nodeIds.length), Math.ceil(most.bytes / nodeIds.length)],
    'waiting-of',
  );
  const entries = rows.flatMap((row): WaitingEntry[] => {
    const [entry] = decodeBatch(row.data);
    if (entry?.kind !== 'column' && entry?.kind !== 'seriesDelete') return [];
    const place = { sequence: row.log_sequence, index: row.entry };
    const { node_id: nodeId, written, message_ms: messageMs, is_settled: isSettled } = row;
    return [{ ...place, nodeId, entry, written: written ?? undefined, messageMs, isSettled }];
  });
  return { entries, hasMore: new Set(rows.flatMap((row) => (row.has_more ? row.node_id : []))) };
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

export async function saveSettled(on: Queryable, partition: number, sequence: number): Promise<void> {
  await on.query(
    `INSERT INTO settled AS s VALUES ($1, $2)
     ON CONFLICT (partition) DO UPDATE SET log_sequence = excluded.log_sequence WHERE s.log_sequence < excluded.log_sequence`,
    [partition, sequence],
    'save-settled',
  );
}

/**
 * Finds series that can go on. A million entries of some thousand series may wait, so the first entry of each series is looked up.
 * @param after the series behind this one, by their ids
 */
export async function readyToGoOn(on: Queryable, limit: number, after: string): Promise<WaitingSeries[]> {
  const { rows } = await on.query<{ partition: number; node_id: string; owner_id: string }>(
    `WITH RECURSIVE waits (node_id) AS (
       (SELECT node_id FROM waiting_entries WHERE node_id > $2 ORDER BY node_id LIMIT 1)
       UNION ALL
       SELECT (SELECT w.node_id FROM waiting_entries w WHERE w.node_id > waits.node_id ORDER BY w.node_id LIMIT 1)
       FROM waits WHERE node_id IS NOT NULL)
     SELECT w.partition, node_id, s.owner_id FROM waits JOIN series s USING (node_id) CROSS JOIN LATERAL (
       SELECT partition, log_sequence, needs_verdict AND written IS NULL AS is_unsaid
       FROM waiting_entries w WHERE w.node_id = waits.node_id AND data IS NOT NULL ORDER BY log_sequence, entry LIMIT 1) w
     LEFT JOIN settled t USING (partition)
     WHERE NOT w.is_unsaid OR w.log_sequence <= t.log_sequence ORDER BY node_id COLLATE "C" LIMIT $1`,
    [limit, after],
    'ready-to-go-on',
  );
  return rows.map((row) => ({ partition: row.partition, nodeId: row.node_id, ownerId: row.owner_id }));
}
