import { atMostEvery, gauge } from '@catchment/telemetry';
import { OutboxAge } from './outbox-age.ts';
import type { Queryable } from './queryable.ts';

const ASK_EVERY_MS = 4_000;
/** More are not counted: it is too many in any case. */
const MOST_ROWS = 100_000;

const rows = gauge({
  name: 'catchment_outbox_rows',
  help: `Messages that wait to be published, ${MOST_ROWS} at most.`,
});
const oldest = gauge({
  name: 'catchment_outbox_oldest_seconds',
  help: 'Time for which the first message of the outbox has waited, as far as is known; 0 without messages.',
});

/** Publishes what waits in the outbox, asked at a scrape. @returns ends it */
export function reportOutbox(database: Queryable, now: () => number = () => performance.now()): () => void {
  const age = new OutboxAge(now);
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const { rows: found } = await database.query<{ rows: number; first: number | null; newest: number | null }>(
      `SELECT count(*) AS rows, min(id) AS first, (SELECT max(id) FROM outbox) AS newest
       FROM (SELECT id FROM outbox ORDER BY id LIMIT ${MOST_ROWS}) AS waiting`,
    );
    const { rows: waiting = 0, first: firstId = null, newest: newestId = null } = found[0] ?? {};
    const isEmpty = firstId === null || newestId === null;
    return { waiting, oldestMs: age.look(isEmpty ? undefined : { firstId, newestId }) };
  });
  const ends = [rows.from(async () => (await ask()).waiting), oldest.from(async () => (await ask()).oldestMs / 1_000)];
  return () => {
    for (const end of ends) end();
  };
}
