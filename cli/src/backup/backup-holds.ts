import { setTimeout as pause } from 'node:timers/promises';
import type { Floors, StreamCopy } from '@catchment/bus';
import type pg from 'pg';

const RENEW_MS = 60_000;
/** A backup whose process died holds nothing after this time. */
const HELD = "interval '10 minutes'";
const LOOK_MS = 200;
const WRITER_LIMIT_MS = 600_000;
/** What historic runs may have begun before the hold, and takes no longer. */
const STATEMENT_LIMIT_MS = 30_000;

/** From now on historic keeps what decides about messages of its log. @returns what ends it */
export async function holdDecisions(client: pg.Client, name: string): Promise<() => Promise<void>> {
  const renew = () =>
    client.query(
      `INSERT INTO historic.backup_holds AS known (hold_id, held_until) VALUES ($1, now() + ${HELD})
       ON CONFLICT (hold_id) DO UPDATE SET held_until = excluded.held_until`,
      [name],
    );
  await renew();
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const untilMs = performance.now() + STATEMENT_LIMIT_MS;
  while (performance.now() < untilMs) {
    // Statements that began before they could see the hold.
    const { rows: older } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
       AND query_start <= $1 AND query ~ 'write_observations|column_parts' LIMIT 1`,
      [rows[0]?.now],
    );
    if (older.length === 0) break;
    await pause(LOOK_MS);
  }
  return async () => {
    clearInterval(timer);
    await client.query('DELETE FROM historic.backup_holds WHERE hold_id = $1', [name]);
  };
}

/** Where the writers of records are in each partition: there is one for each InfluxDB, and they stand at different places. */
export function writerPlaces({ INGEST }: Floors, partitions: number, which: 'first' | 'last'): number[] {
  return Array.from({ length: partitions }, (_, partition) => {
    const isWriter = new RegExp(`^writer(-[a-z][a-z0-9]*)?-${partition}$`);
    const places = Object.entries(INGEST).flatMap(([name, place]) => (isWriter.test(name) ? [place] : []));
    if (places.length === 0) return 0;
    return which === 'first' ? Math.min(...places) : Math.max(...places);
  });
}

/**
 * Waits until the writer has finished what the log has at this moment.
 * @returns where it is: what it takes to the store from here on, it decides within the hold
 * @throws Error when it does not come so far
 */
export async function writerCaughtUp(
  streams: StreamCopy,
  partitions: number,
  say: (line: string) => void,
): Promise<number[]> {
  const { INGEST: end } = await streams.ends();
  const untilMs = performance.now() + WRITER_LIMIT_MS;
  for (let looks = 0; performance.now() < untilMs; looks += 1) {
    const places = writerPlaces(await streams.floors(), partitions, 'first');
    if (places.every((place) => place >= end)) return places;
    if (looks === 50) say('Waiting for the writer of records; is InfluxDB away?');
    await pause(LOOK_MS);
  }
  throw new Error('The writer of records is ten minutes behind: repair that first (see the log of historic)');
}
