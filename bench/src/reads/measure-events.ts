import pg from 'pg';
import { Pool } from 'undici';
import type { Installation } from '../installation.ts';
import { seedFlood } from '../loads/node-data.ts';
import { atMostOfFloor, processorTime, type Row } from '../report.ts';
import { inTurns } from '../watch/in-turns.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';

const EVENTS = 10_000_000;
const LISTED = 10_000;
const BAR = 2;
/** The middle one finds what runs often compiled: V8 takes some ten answers of this size. */
const TURNS = 21;
const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
/** Two months of events. */
const SPAN_MS = 59 * 86_400_000;

/** The bare query reads the rows of the list with all that an event shows, held in memory as `pg` gives them. */
const BARE = `SELECT event_id, (extract(epoch FROM event_time) * 1000)::bigint AS time_ms, owner_id, workspace_id, node_id,
    node_class, level, event_type, alarm_state, username, message
  FROM events.events WHERE owner_id = $1 ORDER BY event_time DESC NULLS LAST, event_id DESC LIMIT ${LISTED}`;

/** Measures lists of the newest events of an account with ten million (docs/reference/events.md#queries). @param scale share of them */
export async function measureEvents(installation: Installation, scale: number): Promise<Row[]> {
  const { quiet: account } = await seedFlood(installation);
  const api = new Pool(installation.url, { connections: 1, pipelining: 0 });
  const client = new pg.Client({ connectionString: installation.servers.postgres.url });
  await client.connect();
  try {
    const count = Math.ceil(EVENTS * scale);
    await seedEvents(client, account.ownerId, count);
    const list = (path: string) => () =>
      timed(async () => {
        const { statusCode, body } = await api.request({
          method: 'GET',
          path: `/api/v1${path}`,
          headers: { 'x-api-key': account.key },
        });
        const text = await body.text();
        if (statusCode !== 200 || !text.endsWith('}]'))
          throw new Error(`GET ${path} answered ${statusCode}: ${text.slice(0, 300)}`);
      });
    const bare = () => timed(() => client.query(BARE, [account.ownerId]));
    const newestOfAll = list(`/events?sort=eventTime(DESC)&limit=${LISTED}`);
    const newest = await inTurns(TURNS, newestOfAll, bare);
    const pids = await installation.pids();
    const before = await cpuByProcess(pids);
    for (let n = 0; n < TURNS; n += 1) await newestOfAll();
    const cpuMs = cpuOfEach(before, await cpuByProcess(pids), TURNS);
    return [
      atMostOfFloor(
        `newest 10 000 events of ${count.toLocaleString('en-US').replaceAll(',', ' ')} (bare query: ${newest.floorMs.toFixed(1)} ms)`,
        newest.ownMs,
        'ms',
        newest.floorMs,
        BAR,
      ),
      processorTime('newest 10 000 events', cpuMs),
    ];
  } finally {
    await Promise.all([api.close(), client.end()]);
  }
}

/** SQL writes them past the service, which makes the partitions by a first event in each month. */
async function seedEvents(client: pg.Client, ownerId: string, count: number): Promise<void> {
  await client.query('SET search_path = events');
  // Built anew when the rows are there, indexes take a fraction of the time.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = 'events'::regclass AND NOT i.indisprimary`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query(
    `INSERT INTO events (event_id, event_time, owner_id, workspace_id, node_id, node_class, level, event_type, alarm_state,
       username, message)
     SELECT lpad(to_hex(n), 24, '0'), to_timestamp(($2::float8 + n::float8 / $1 * $3) / 1000), $4, lpad('1', 24, '0'),
       lpad(to_hex(n % 5000), 24, '0'), 'point.NumberPoint', CASE WHEN n % 10 = 0 THEN 'WARNING' ELSE 'INFO' END,
       'STATE', 'NONE', 'System', 'State changed from NORMAL to High ' || n % 5
     FROM generate_series(1, $1::int) n`,
    [count, FIRST_MS, SPAN_MS, ownerId],
  );
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '));
  await client.query('VACUUM (ANALYZE) events');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
