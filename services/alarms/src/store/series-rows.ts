import type { Queryable } from '@catchment/pg';
import type { SeriesChange } from '../domain/changes.ts';
import type { KeptRecord } from '../domain/history.ts';
import type { Series } from '../domain/series.ts';
import type { LockedSeries } from '../usecases/ports.ts';

/** A row has Unix ms, raw value, the state from it on where that is another one, its quality code. */
type KeptRow = [number, number | string, (string | null)?, number?];

type SeriesRow = {
  node_id: string;
  state_id: string | null;
  history: KeptRow[];
  known_since_ms: number;
  is_waiting: boolean;
};

export async function lockSeries(tx: Queryable, nodeIds: readonly string[]): Promise<Map<string, LockedSeries>> {
  const { rows } = await tx.query<SeriesRow>(
    `SELECT node_id, state_id, history, known_since_ms,
       EXISTS (SELECT 1 FROM waiting_entries w WHERE w.node_id = series.node_id AND w.data IS NOT NULL) AS is_waiting
     FROM series WHERE node_id = ANY($1::text[]) ORDER BY node_id FOR UPDATE`,
    [nodeIds],
    'lock-series',
  );
  return new Map(
    rows.map((row) => {
      const history = { records: row.history.map(toRecord), knownSinceMs: row.known_since_ms };
      return [row.node_id, { stateId: row.state_id, history, isWaiting: row.is_waiting }];
    }),
  );
}

export async function saveSeries(tx: Queryable, changes: readonly SeriesChange[]): Promise<void> {
  if (changes.length === 0) return;
  const sorted = [...changes].sort((a, b) => (a.node.nodeId < b.node.nodeId ? -1 : 1));
  await tx.query(
    `INSERT INTO series (node_id, owner_id, state_id, history, known_since_ms)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::float8[])
     ON CONFLICT (node_id) DO UPDATE
       SET state_id = excluded.state_id, history = excluded.history, known_since_ms = excluded.known_since_ms`,
    [
      sorted.map(({ node }) => node.nodeId),
      sorted.map(({ node }) => node.ownerId),
      sorted.map(({ series }) => series.stateId),
      sorted.map(({ series }) => historyText(series)),
      sorted.map(({ series }) => series.history.knownSinceMs),
    ],
    'save-series',
  );
}

const toRecord = ([timeMs, value, stateId, code]: KeptRow): KeptRecord => ({
  timeMs,
  value,
  stateId: stateId ?? undefined,
  code,
});

/** jsonb holds no U+0000: it is left out, as it is of no use to a threshold. */
function historyText({ history }: Series): string {
  let held: string | undefined;
  const rows = history.records.map(({ timeMs, value, stateId, code }): KeptRow => {
    const kept = typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
    const enters = stateId === held ? undefined : stateId;
    held = stateId ?? held;
    if (code !== undefined) return [timeMs, kept, enters ?? null, code];
    return enters === undefined ? [timeMs, kept] : [timeMs, kept, enters];
  });
  return JSON.stringify(rows);
}
