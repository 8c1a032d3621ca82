import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Installation } from '../installation.ts';
import { seedOutdated } from '../loads/node-data.ts';
import { atMost, figure, type Row } from '../report.ts';
import { cpuMsOf, cpuMsWithChildren } from '../watch/processes.ts';

const SOURCES = 100_000;
/** All services and PostgreSQL together take at most so much processor time a minute. */
const BAR_SECONDS = 1;
/** Sources that report are looked at once within the time that they may be quiet. */
const QUIET_MINUTES = 60;
const IDLE_MS = 20_000;

/** Measures what looking for outdated data costs (docs/reference/alarms.md#outdated-data): 100 000 sources with outdatedAlarm. */
export async function measureOutdated(installation: Installation): Promise<Row[]> {
  const client = new pg.Client({ connectionString: installation.servers.postgres.url });
  await client.connect();
  try {
    await seedOutdated(installation, SOURCES, QUIET_MINUTES * 60_000);
    const idle = await during(installation, () => delay(IDLE_MS));
    await client.query('UPDATE alarms.outdated_checks SET due_ms = 0');
    const looks = await during(installation, async () => {
      while (await isDue(client)) await delay(500);
    });
    const lookMs = (looks.processorMs - (idle.processorMs / idle.ms) * looks.ms) / SOURCES;
    return [
      atMost(
        '100 000 sources that report and may be quiet for 1 h: processor time of their looks, a minute',
        (lookMs * SOURCES) / QUIET_MINUTES / 1_000,
        's',
        BAR_SECONDS,
      ),
      figure('100 000 sources looked at in one go, as after a start: processor time', (lookMs * SOURCES) / 1_000, 's'),
      figure('the same: time until the last look', looks.ms / 1_000, 's'),
    ];
  } finally {
    await client.end();
  }
}

/** Returns the processor time of all services and PostgreSQL while `work` goes on. */
async function during(installation: Installation, work: () => Promise<unknown>) {
  const { nats: _nats, influx: _influx, postgres = 0, ...services } = await installation.pids();
  const processorMs = async () => (await cpuMsOf(Object.values(services))) + (await cpuMsWithChildren(postgres));
  const [before, startMs] = [await processorMs(), performance.now()];
  await work();
  return { processorMs: (await processorMs()) - before, ms: performance.now() - startMs };
}

async function isDue(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM alarms.outdated_checks WHERE due_ms <= extract(epoch FROM now()) * 1000 LIMIT 1',
  );
  return rowCount !== 0;
}
