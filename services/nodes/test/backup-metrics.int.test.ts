import { Database } from '@catchment/pg';
import { createLogger, metricsPage } from '@catchment/telemetry';
import type { TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { reportBackups } from '../src/store/backup-metrics.ts';

const log = createLogger('test', { level: 'error' });
const schema = 'nodes';
let server: TestDatabase;
let database: Database;

beforeEach(async () => {
  server = await migratedDatabase('nodes');
  database = new Database({
    url: server.url,
    schema,
    applicationName: 'test',
    rehearsesTransactions: true,
    maxConnections: 2,
    log,
  });
});
afterEach(async () => {
  await database.close();
  await server.drop();
});

/** Returns what a scrape gets of backups. */
async function reported(): Promise<Record<string, number>> {
  const end = reportBackups(database);
  try {
    const { text } = await metricsPage();
    return Object.fromEntries(
      [...text.matchAll(/^(catchment_backup_\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
    );
  } finally {
    end();
  }
}

test('an installation without a backup reports nothing of any', async () => {
  expect(await reported()).toEqual({});
});

test('the last backup is reported: when it ended, how long it took, how large it is', async () => {
  const add = (id: string, from: string, to: string, bytes: number) =>
    database.query(
      `INSERT INTO backups (backup_id, started_time, cut_time, finished_time, size_bytes, written_bytes) VALUES ($1, $2, $2, $3, $4, 1)`,
      [id, from, to, bytes],
    );
  await add('b', '2026-01-02T00:00:00Z', '2026-01-02T00:01:30Z', 3_000_000_000);
  await add('a', '2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z', 1);
  expect(await reported()).toEqual({
    catchment_backup_last_success_timestamp_seconds: Date.UTC(2026, 0, 2, 0, 1, 30) / 1_000,
    catchment_backup_last_duration_seconds: 90,
    catchment_backup_last_size_bytes: 3_000_000_000,
  });
});
