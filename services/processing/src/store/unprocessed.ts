import type { Queryable } from '@catchment/pg';
import { atMostEvery, gauge } from '@catchment/telemetry';

const ASK_EVERY_MS = 4_000;

const oldest = gauge({
  name: 'catchment_oldest_unprocessed_seconds',
  help: 'How long the program that waits longest has had records to read, 0 without any.',
});

/** Tells since when a program waits that may run, asked at a scrape. @returns ends it */
export function tellUnprocessed(database: Queryable): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const { rows } = await database.query<{ seconds: number | null }>(
      `SELECT extract(epoch FROM clock_timestamp() - min(due_since))::float8 AS seconds
       FROM programs p JOIN accounts a USING (owner_id)
       WHERE NOT a.is_disabled AND p.due AND p.phase IS NULL AND p.is_enabled AND p.plan_version IS NOT NULL`,
    );
    return Math.max(0, rows[0]?.seconds ?? 0);
  });
  return oldest.from(ask);
}
