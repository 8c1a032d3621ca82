import { DomainError } from '@catchment/errors';
import { decodeBatch, encodeEntries } from '@catchment/ingest-log';
import type { Queryable } from '@catchment/pg';
import { needsVerdict } from '../domain/column-edits.ts';
import type { EntryPlace, PlacedEntry, Verdict, WaitingSeries } from '../usecases/ports.ts';

/** Of a partition; beyond that its reader stops until historic has said more. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Of a series that are evaluated at a time; one entry in any case. */
const BYTES_AT_ONCE = 1024 * 1024;

type PlaceRow = { log_sequence: number; entry: number };
type EntryRow = PlaceRow & { node_id: string; data: Buffer };

const toPlace = ({ log_sequence, entry }: PlaceRow): EntryPlace => ({ sequence: log_sequence, index: entry });
const sequencesOf = (places: readonly EntryPlace[]) => places.map(({ sequence }) => sequence);
const indexesOf = (places: readonly EntryPlace[]) => places.map(({ index }) => index);

export async function keepWaiting(tx: Queryable, partition: number, entries: readonly PlacedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `INSERT INTO waiting_entries (partition, log_sequence, entry, node_id, data, needs_verdict)
     SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::bytea[], $6::boolean[]) ON CONFLICT DO NOTHING`,
    [
      partition,
      sequencesOf(entries),
      indexesOf(entries),
      entries.map(({ nodeId }) => nodeId),
      entries.map(({ entry }) => Buffer.from(encodeEntries([entry], Number.POSITIVE_INFINITY, () => '')[0] ?? [])),
      entries.map(({ entry }) => entry.kind === 'column' && needsVerdict(entry.column)),
    ],
    'keep-waiting',
  );
  const { rows } = await tx.query<{ entries: number; bytes: number }>(
    `SELECT count(*) AS entries, coalesce(sum(octet_length(data)), 0)::bigint AS bytes FROM waiting_entries WHERE partition = $1`,
    [partition],
    'count-waiting',
  );
  const [total = { entries: 0, bytes: 0 }] = rows;
  if (total.entries > MAX_ENTRIES || total.bytes > MAX_BYTES)
    throw new DomainError('unavailable', 'TOO_MANY_WAIT', 'too many entries of the ingest log wait for historic');
}

export async function waitingOf(
  tx: Queryable,
  nodeIds: readonly string[],
  limit: number,
): Promise<readonly PlacedEntry[]> {
  const { rows } = await tx.query<EntryRow>(
    `SELECT log_sequence, entry, node_id, data FROM (
       SELECT *, row_number() OVER earlier AS place, sum(octet_length(data)) OVER earlier AS bytes
       FROM waiting_entries WHERE node_id = ANY($1::text[])
       WINDOW earlier AS (PARTITION BY node_id ORDER BY log_sequence, entry)) w
     WHERE place = 1 OR (place <= $2 AND bytes <= $3) ORDER BY log_sequence, entry`,
    [nodeIds, limit, BYTES_AT_ONCE],
    'waiting-of',
  );
  return rows.flatMap((row): PlacedEntry[] => {
    const [entry] = decodeBatch(row.data);
    if (entry?.kind !== 'column' && entry?.kind !== 'seriesDelete') return [];
    return [{ ...toPlace(row), nodeId: row.node_id, entry }];
  });
}

export async function removeSettled(tx: Queryable, partition: number, places: readonly EntryPlace[]): Promise<void> {
  if (places.length === 0) return;
  for (const table of ['waiting_entries', 'column_verdicts'])
    await tx.query(
      `DELETE FROM ${table} t USING unnest($2::bigint[], $3::int[]) AS p (log_sequence, entry)
       WHERE t.partition = $1 AND t.log_sequence = p.log_sequence AND t.entry = p.entry`,
      [partition, sequencesOf(places), indexesOf(places)],
      `remove-settled-${table}`,
    );
}

export async function verdictsOf(
  tx: Queryable,
  partition: number,
  sequences: readonly number[],
): Promise<readonly Verdict[]> {
  if (sequences.length === 0) return [];
  const { rows } = await tx.query<PlaceRow & { written: Buffer }>(
    'SELECT log_sequence, entry, written FROM column_verdicts WHERE partition = $1 AND log_sequence = ANY($2::bigint[])',
    [partition, sequences],
    'verdicts-of',
  );
  return rows.map((row) => ({ ...toPlace(row), written: row.written }));
}

export async function saveVerdicts(tx: Queryable, partition: number, verdicts: readonly Verdict[]): Promise<void> {
  await tx.query(
    `INSERT INTO column_verdicts (partition, log_sequence, entry, written)
     SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::bytea[]) ON CONFLICT DO NOTHING`,
    [partition, sequencesOf(verdicts), indexesOf(verdicts), verdicts.map(({ written }) => Buffer.from(written))],
    'save-verdicts',
  );
}

export async function readyToGoOn(on: Queryable, limit: number): Promise<WaitingSeries[]> {
  const { rows } = await on.query<{ partition: number; node_id: string; owner_id: string }>(
    `SELECT w.partition, w.node_id, s.owner_id FROM (
       SELECT DISTINCT ON (node_id) * FROM waiting_entries ORDER BY node_id, log_sequence, entry) w
     JOIN progress p USING (partition) JOIN series s USING (node_id)
     WHERE NOT w.needs_verdict OR w.log_sequence <= p.told_sequence
       OR EXISTS (SELECT 1 FROM column_verdicts v
                  WHERE (v.partition, v.log_sequence, v.entry) = (w.partition, w.log_sequence, w.entry))
     ORDER BY w.since_time LIMIT $1`,
    [limit],
    'ready-to-go-on',
  );
  return rows.map((row) => ({ partition: row.partition, nodeId: row.node_id, ownerId: row.owner_id }));
}

export async function untoldSince(on: Queryable, sinceMs: number): Promise<{ partition: number; sequence: number }[]> {
  const { rows } = await on.query<{ partition: number; sequence: number }>(
    `SELECT w.partition, max(w.log_sequence) AS sequence FROM waiting_entries w JOIN progress p USING (partition)
     WHERE w.needs_verdict AND w.since_time < to_timestamp($1::float8 / 1000) AND w.log_sequence > p.told_sequence
     GROUP BY w.partition`,
    [sinceMs],
    'untold-since',
  );
  return rows;
}
