import { atMostEvery, storeBytes } from '@catchment/telemetry';
import type { Queryable } from './queryable.ts';

/** PostgreSQL looks at each of its files to answer. */
const ASK_EVERY_MS = 60_000;

/** Publishes at a scrape how much the database keeps: one service does it for all. @returns ends it */
export function reportDatabaseSize(database: Queryable): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const { rows } = await database.query<{ bytes: number }>(
      'SELECT pg_database_size(current_database())::float8 AS bytes',
    );
    return rows.map(({ bytes }) => [{ store: 'postgresql', part: '' }, bytes] as const);
  });
  return storeBytes.from(ask);
}
