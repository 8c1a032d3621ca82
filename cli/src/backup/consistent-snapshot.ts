import { setTimeout as pause } from 'node:timers/promises';
import type { StreamCopy, StreamNumbers } from '@catchment/bus';
import type pg from 'pg';

/** Looks at the moment between two messages: of 1000 messages a second every tenth look finds one, in 3 ms. */
const MAX_TRIES = 2_000;

/**
 * Takes a moment that is the same for PostgreSQL and all streams: a snapshot (of the transaction that `client` is in from now on) during
 * which no message came. So what the snapshot has is the effect of messages up to `ends`, and what those messages are the effect of is in
 * the snapshot.
 * @throws Error when messages come without any pause
 */
export async function takeConsistentSnapshot(
  client: pg.Client,
  streams: StreamCopy,
): Promise<{ ends: StreamNumbers; cutMs: number }> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const before = await streams.ends();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The snapshot is taken by the first statement.
    await client.query('SELECT pg_current_snapshot()');
    const cutMs = Date.now();
    const after = await streams.ends();
    if (isSame(before, after)) return { ends: after, cutMs };
    await client.query('ROLLBACK');
    await pause(Math.random() * 10);
  }
  throw new Error(`no moment without a new message in ${MAX_TRIES} looks: make the backup when less is written`);
}

const isSame = (numbers: StreamNumbers, other: StreamNumbers): boolean =>
  (Object.keys(numbers) as (keyof StreamNumbers)[]).every((name) => numbers[name] === other[name]);
