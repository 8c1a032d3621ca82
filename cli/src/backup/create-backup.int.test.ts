// A backup does this by itself: its session, and what ends it early.
import { removeDataFolder, temporaryDataFolder, testDatabase } from '@catchment/testkit';
import pg from 'pg';
import type { Backends } from './backends.ts';
import { keepRecords } from './copy-records.ts';
import { PLAIN_SESSION } from './create-backup.ts';
import { Repository } from './repository.ts';

test('values are written so that they are read the same, whatever the database is set to', async () => {
  await using database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `SET DateStyle = 'SQL, DMY'; SET IntervalStyle = 'sql_standard'; SET extra_float_digits = -5; SET statement_timeout = '1h';
     SET idle_in_transaction_session_timeout = '1h'`,
  );
  await client.query(PLAIN_SESSION);
  const { rows } = await client.query(
    `SELECT '2024-02-01 03:04:05'::timestamp::text AS time, '-1 day 2 hours'::interval::text AS span, (0.1::float8 + 0.2)::text AS number,
       current_setting('statement_timeout') AS limit, current_setting('idle_in_transaction_session_timeout') AS idle`,
  );
  await client.end();
  expect(rows).toEqual([
    { time: '2024-02-01 03:04:05', span: '-1 days +02:00:00', number: '0.30000000000000004', limit: '0', idle: '0' },
  ]);
});

test('a log that cannot be kept any more ends the reading of records, with its own words', async () => {
  const folder = await temporaryDataFolder();
  const repository = new Repository(folder);
  const nowhere = 'http://127.0.0.1:1';
  const backends: Backends = {
    databaseUrl: 'postgres://127.0.0.1:1/none',
    natsUrl: '',
    natsPrefix: '',
    influxUrl: nowhere,
    influxShards: '',
    influxDatabase: undefined,
    streamReplicas: 1,
    partitions: undefined,
  };
  const failed = new AbortController();
  const reading = keepRecords(repository, backends, () => {}, failed.signal);
  failed.abort(new Error('NATS has given up the reader'));
  await expect(reading).rejects.toThrow('NATS has given up the reader');
  await expect(keepRecords(repository, backends, () => {}, failed.signal)).rejects.toThrow('NATS has given up');
  await removeDataFolder(folder);
});
