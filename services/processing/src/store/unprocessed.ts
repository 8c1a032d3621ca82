import type { Queryable } from '@catchment/pg';
import { atMostEvery, gauge } from '@catchment/telemetry';

const ASK_EVERY_MS = 4_000;
/** One that is computed anew waits on purpose, until its last step. */
const MAY_RUN = `(p.phase IS NULL OR p.phase = 'settle') AND p.is_enabled AND p.plan_version IS NOT NULL`;

const oldest = gauge({
  name: 'catchment_oldest_unprocessed_seconds',
  help: 'Longest time for which a program or rating has had records to read, 0 without such records.',
});

/** Publishes at a scrape since when a program or rating waits that may run. @returns ends it */
export function reportUnprocessed(database: Queryable): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    // A mark that no step has absorbed is news of its program too.
    const { rows } = await database.query<{ seconds: number | null }>(
      `SELECT extract(epoch FROM clock_timestamp() - min(waiting.since))::float8 AS seconds
       FROM (
         SELECT p.owner_id, p.due_since AS since FROM computed p WHERE p.due AND ${MAY_RUN}
         UNION ALL
         SELECT p.owner_id, m.marked_time FROM marks m JOIN programs p USING (node_id)
         WHERE m.forgets IS NULL AND NOT m.checks AND ${MAY_RUN}
         UNION ALL
         SELECT p.owner_id, m.marked_time FROM rating_marks m JOIN ratings p USING (node_id) WHERE ${MAY_RUN}) waiting
       JOIN accounts a USING (owner_id) WHERE NOT a.is_disabled`,
      [],
      'oldest-unprocessed',
    );
    return Math.max(0, rows[0]?.seconds ?? 0);
  });
  return oldest.from(ask);
}
