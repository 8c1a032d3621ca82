import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Installation } from './installation.ts';
import { seedOutdated } from './node-data.ts';
import { cpuMsOf, withChildren } from './processes.ts';
import { atMost, figure, type Row } from './report.ts';

const SOURCES = 100_000;
const MINUTE_MS = 60_000;
/** Of processor time a minute, all services and PostgreSQL together. */
const BAR_SECONDS = 1;
const QUIET_MS = 3_600_000;

/** Of all services and PostgreSQL. */
async function processorMs(installation: Installation): Promise<number> {
  const { nats: _nats, influx: _influx, postgres = 0, ...services } = await installation.pids();
  return cpuMsOf([...Object.values(services), ...(await withChildren(postgres))]);
}

/**
 * What looking for outdated data costs (docs/reference/alarms.md#outdated-data): 100 000 sources with outdatedAlarm, beside the
 * same installation without any.
 */
export async function measureOutdated(installation: Installation): Promise<Row[]> {
  const client = new pg.Client({ connectionString: installation.servers.postgres.url });
  await client.connect();
  const minute = async () => {
    const before = await processorMs(installation);
    await delay(MINUTE_MS);
    return (await processorMs(installation)) - before;
  };
  /** Until no source is due. */
  const swept = async () => {
    const before = await processorMs(installation);
    for (;;) {
      await delay(1_000);
      const { rows } = await client.query(
        'SELECT count(*)::int AS due FROM alarms.outdated_checks WHERE due_ms <= extract(epoch FROM now()) * 1000',
      );
      if (rows[0].due === 0) return (await processorMs(installation)) - before;
    }
  };
  try {
    await seedOutdated(installation, SOURCES, QUIET_MS);
    const all = await swept();
    // Nothing is due within the next minute: sources that are quiet for good reason.
    await client.query('UPDATE alarms.outdated_checks SET due_ms = due_ms + 86400000');
    const idle = await minute();
    // Each is due once within its time, as where they report all the while.
    await client.query(
      `UPDATE alarms.outdated_checks SET due_ms = (extract(epoch FROM now()) * 1000 + random() * ${QUIET_MS})::bigint`,
    );
    const reporting = await minute();
    return [
      atMost(
        `100 000 sources that may be quiet for 1 h: processor time a minute above ${Math.round(idle)} ms without looks`,
        Math.max(0, reporting - idle) / 1_000,
        's',
        BAR_SECONDS,
      ),
      figure('100 000 sources looked at in one go, as after a start: processor time', all / 1_000, 's'),
    ];
  } finally {
    await client.end();
  }
}
