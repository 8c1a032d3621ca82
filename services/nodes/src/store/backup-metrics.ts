import type { Queryable } from '@catchment/pg';
import { atMostEvery, gauge } from '@catchment/telemetry';

const ASK_EVERY_MS = 10_000;

const success = gauge({
  name: 'catchment_backup_last_success_timestamp_seconds',
  help: 'Time at which the last backup was finished, seconds since 1970; absent without a backup.',
});
const duration = gauge({
  name: 'catchment_backup_last_duration_seconds',
  help: 'Duration of the last backup.',
});
const size = gauge({
  name: 'catchment_backup_last_size_bytes',
  help: 'Bytes that the last backup needs, including content of earlier backups.',
});

type Row = { readonly finished: number; readonly took: number; readonly bytes: number };

/** Publishes metrics of the last backup that `catchment backup create` has noted, read at a scrape. @returns ends it */
export function reportBackups(database: Queryable): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const { rows } = await database.query<Row>(
      `SELECT extract(epoch FROM finished_time)::float8 AS finished, size_bytes::float8 AS bytes,
         extract(epoch FROM finished_time - started_time)::float8 AS took
       FROM backups ORDER BY finished_time DESC LIMIT 1`,
      [],
      'last-backup',
    );
    return rows[0];
  });
  const ends = [
    success.from(async () => (await ask())?.finished),
    duration.from(async () => (await ask())?.took),
    size.from(async () => (await ask())?.bytes),
  ];
  return () => {
    for (const end of ends) end();
  };
}
