import { aheadOf, atMostEvery, clockSkew } from '@catchment/telemetry';

const ASK_EVERY_MS = 10_000;

/** Only this part of a database is needed. */
type Asked = { query<T>(text: string): Promise<{ readonly rows: readonly T[] }> };

/** Publishes at a scrape by how much our clock is ahead of PostgreSQL's. @returns ends it */
export function reportDatabaseClock(database: Asked): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const ahead = await aheadOf(async () => {
      const { rows } = await database.query<{ ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      );
      return rows[0]?.ms;
    });
    return ahead === undefined ? [] : [[{ against: 'postgresql' }, ahead] as const];
  });
  return clockSkew.from(ask);
}
