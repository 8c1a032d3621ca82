import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Installation } from '../installation.ts';
import { atMost, figure, type Row } from '../report.ts';
import { cpuMsOf, cpuMsWithChildren } from '../watch/processes.ts';

const SOURCES = 100_000;
/** A share of a core is what devices and PostgreSQL take together, beyond what they take without the sources. */
const BAR = 0.05;
const IDLE_MS = 30_000;

/** Measures what schedules cost while nothing is due (docs/reference/sources.md#status): 100 000 sources that wait for their hour. */
export async function measureSchedules(installation: Installation): Promise<Row[]> {
  const client = new pg.Client({ connectionString: installation.servers.postgres.url });
  await client.connect();
  try {
    const none = await load(installation);
    await client.query(
      `INSERT INTO devices.acquisitions (source_id, owner_id, workspace_id, class, name, transport, is_enabled, schedule_type,
         interval_ms, offset_ms, write_mode, node_revision, status, next_ms, collects, retries, revision, attempts, successes,
         record_count, is_alarmed, facts)
       SELECT lpad(to_hex(n), 24, '0'), lpad(to_hex(n % 100), 24, 'a'), lpad(to_hex(n % 100), 24, 'b'),
         'source.data.TextParser', 'Files ' || n, 'FtpDownload', true, 'SERVER', 86400000, 0, '', 1, 'REST',
         (extract(epoch FROM now()) + 3600 + n % 300) * 1000, false, 0, 0, 0, 0, 0, false, '{}'
       FROM generate_series(1, $1) AS n`,
      [SOURCES],
    );
    await client.query('VACUUM ANALYZE devices.acquisitions');
    const waiting = await load(installation);
    return [
      figure('devices and PostgreSQL at rest without a schedule: share of a core', none, 'cores'),
      figure('devices and PostgreSQL at rest with 100 000 schedules: share of a core', waiting, 'cores'),
      atMost('100 000 schedules at rest: share of a core', Math.max(0, waiting - none), 'cores', BAR),
    ];
  } finally {
    await client.end();
  }
}

/** Returns the processor time of devices and PostgreSQL for each second of waiting. */
async function load(installation: Installation): Promise<number> {
  const { devices = 0, postgres = 0 } = await installation.pids();
  const processorMs = async () => (await cpuMsOf([devices])) + (await cpuMsWithChildren(postgres));
  const [before, startMs] = [await processorMs(), performance.now()];
  await delay(IDLE_MS);
  return ((await processorMs()) - before) / (performance.now() - startMs);
}
