import { type Database, listsAskedTogether, type Queryable } from '@catchment/pg';
import { type DayCounts, keyOf, type SourceDay } from '../domain/source-days.ts';
import type { DailyRows, SourceAcquisition } from '../usecases/ports.ts';

type CountsRow = { source_id: string; day: number; acquired: number; stored: number };

/** Replicas count the rows of a source one after the other by locks of this space. */
const LOCK_SPACE = 'daily_rows';

/** At midnight UTC all sources begin a day at once: so many days are read together at most. */
const READ_TOGETHER = 2_000;

export const pgDailyRows = (database: Database): DailyRows => ({
  load: daysReadTogether(database),
  add: (counts) => addCounts(database, counts),
  purge: (belowRows) => purgeCounts(database, belowRows),
  exempt: (acquisition) => noteExempt(database, acquisition),
  isExempt: (acquisition) => isExempt(database, acquisition),
  locked: (sourceIds, work) => database.locked(LOCK_SPACE, sourceIds, work),
});

function daysReadTogether(database: Database): DailyRows['load'] {
  const read = listsAskedTogether(async (days: readonly SourceDay[]) => {
    const counts = await loadCounts(database, days);
    return new Map(counts.map((count) => [keyOf(count), count]));
  }, READ_TOGETHER);
  return async (days) => {
    const found = await read(days);
    return days.flatMap((day) => found.get(keyOf(day)) ?? []);
  };
}

async function loadCounts(on: Queryable, days: readonly SourceDay[]): Promise<DayCounts[]> {
  const { rows } = await on.query<CountsRow>(
    `SELECT source_id, day, acquired, stored FROM daily_rows
     JOIN unnest($1::text[], $2::int[]) AS d (source_id, day) USING (source_id, day)`,
    [days.map(({ sourceId }) => sourceId), days.map(({ day }) => day)],
    'load-daily-rows',
  );
  return rows.map(toCounts);
}

async function addCounts(on: Queryable, counts: readonly DayCounts[]): Promise<DayCounts[]> {
  if (counts.length === 0) return [];
  const { rows } = await on.query<CountsRow>(
    `INSERT INTO daily_rows AS known (source_id, day, acquired, stored)
     SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[]) AS d (source_id, day, acquired, stored)
     ORDER BY source_id, day
     ON CONFLICT (source_id, day) DO UPDATE SET acquired = known.acquired + excluded.acquired,
       stored = known.stored + excluded.stored, touched_time = now()
     RETURNING source_id, day, acquired, stored`,
    [
      counts.map(({ sourceId }) => sourceId),
      counts.map(({ day }) => day),
      counts.map(({ acquired }) => acquired),
      counts.map(({ stored }) => stored),
    ],
    'add-daily-rows',
  );
  return rows.map(toCounts);
}

/**
 * Deletes days that nothing was added to for two days, when they are far below any limit, so that a new count would begin as well at
 * 0, or when their source is deleted.
 */
async function purgeCounts(on: Queryable, belowRows: number): Promise<void> {
  await on.query(
    `DELETE FROM daily_rows d WHERE touched_time < now() - interval '2 days'
       AND (stored < $1 OR EXISTS (SELECT FROM node_replica n WHERE n.node_id = d.source_id AND n.deleted_time IS NOT NULL))`,
    [belowRows],
    'purge-daily-rows',
  );
  await on.query("DELETE FROM exempt_acquisitions WHERE begun_time < now() - interval '8 days'", [], 'purge-exempt');
}

async function noteExempt(on: Queryable, { sourceId, acquisitionId }: SourceAcquisition): Promise<void> {
  await on.query(
    'INSERT INTO exempt_acquisitions (source_id, acquisition_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [sourceId, acquisitionId],
    'note-exempt-acquisition',
  );
}

async function isExempt(on: Queryable, { sourceId, acquisitionId }: SourceAcquisition): Promise<boolean> {
  const { rows } = await on.query(
    'SELECT FROM exempt_acquisitions WHERE source_id = $1 AND acquisition_id = $2',
    [sourceId, acquisitionId],
    'is-exempt-acquisition',
  );
  return rows.length > 0;
}

const toCounts = ({ source_id, ...row }: CountsRow): DayCounts => ({ sourceId: source_id, ...row });
