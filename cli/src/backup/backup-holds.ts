import { setTimeout as pause } from 'node:timers/promises';
import { type Floors, partitionConsumerOf, type StreamCopy } from '@catchment/bus';
import type pg from 'pg';

const LOOK_MS = 200;
const WRITER_LIMIT_MS = 600_000;
const LIMITS = {
  renewMs: 60_000,
  /** A backup whose process died holds nothing after this time. */
  heldMs: 600_000,
  /** Statements that historic may have begun before the hold take no longer. */
  statementMs: 30_000,
};

/** The hold keeps historic from removing what decides about messages of its log. */
type DecisionsHold = {
  /**
   * Is asked behind the snapshot that needs it.
   * @throws Error where historic may have removed something since the hold began
   */
  confirm(): Promise<void>;
  /** Historic goes on removing. */
  release(): Promise<void>;
};

/**
 * Makes historic keep from now on what decides about messages of its log.
 * @throws Error, with nothing held, where a transaction that does not see the hold stays open
 */
export async function holdDecisions(client: pg.Client, name: string, limits = LIMITS): Promise<DecisionsHold> {
  const until = `now() + make_interval(secs => ${limits.heldMs / 1_000})`;
  const { rows } = await client.query<{ until: string }>(
    `WITH dead AS (DELETE FROM historic.backup_holds WHERE held_until <= now())
     INSERT INTO historic.backup_holds (hold_id, held_until) VALUES ($1, ${until}) RETURNING held_until::text AS until`,
    [name],
  );
  let heldUntil = rows[0]?.until;
  let isLapsed = false;
  // A hold that has lapsed is never taken up again: what was removed meanwhile is gone.
  const renew = async () => {
    const { rows: renewed } = await client.query<{ until: string }>(
      `UPDATE historic.backup_holds SET held_until = ${until} WHERE hold_id = $1 AND held_until > now()
       RETURNING held_until::text AS until`,
      [name],
    );
    // It counts from its commit on, which may have come late.
    const { rows: clock } = await client.query<{ isInTime: boolean }>(
      'SELECT clock_timestamp() < $1::timestamptz AS "isInTime"',
      [heldUntil],
    );
    if (renewed[0] && clock[0]?.isInTime) heldUntil = renewed[0].until;
    else isLapsed = true;
  };
  // `confirm` renews once more, and throws.
  const timer = setInterval(() => void renew().catch(() => undefined), limits.renewMs);
  const release = async () => {
    clearInterval(timer);
    await client.query('DELETE FROM historic.backup_holds WHERE hold_id = $1', [name]);
  };
  const confirm = async () => {
    await renew().catch((error: Error) => {
      throw new Error(`The hold of the backup cannot be renewed (${error.message}): make the backup again`);
    });
    if (isLapsed)
      throw new Error(
        `The hold of the backup was not renewed for ${limits.heldMs / 60_000} minutes, so historic may have removed what ` +
          'the backup needs. Was PostgreSQL away, or this machine asleep? Make the backup again.',
      );
  };
  try {
    await transactionsEnded(client, limits.statementMs);
  } catch (error) {
    // A hold that stays lapses by itself.
    await release().catch(() => undefined);
    throw error;
  }
  return { confirm, release };
}

/**
 * Waits for the transactions that write what decides, and that may have begun before they could see the hold.
 * @throws Error when one stays open
 */
async function transactionsEnded(client: pg.Client, limitMs: number): Promise<void> {
  // A statement has its locks before it takes its snapshot.
  const open = async () => {
    const { rows } = await client.query<{ id: string; pid: number }>(
      `SELECT DISTINCT virtualtransaction AS id, pid FROM pg_locks
       WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND mode = 'RowExclusiveLock'
       AND relation IN ('historic.write_observations'::regclass, 'historic.column_parts'::regclass)`,
    );
    return new Map(rows.map(({ id, pid }) => [id, pid]));
  };
  let older = await open();
  for (const endMs = performance.now() + limitMs; older.size > 0; ) {
    if (performance.now() >= endMs)
      throw new Error(
        `A transaction of PostgreSQL process ${[...older.values()][0]} writes to historic.write_observations or column_parts for ` +
          `more than ${limitMs / 1_000} s, and no backup can begin beside it. See pg_stat_activity; make the backup when it has ended.`,
      );
    await pause(LOOK_MS);
    const now = await open();
    older = new Map([...older].filter(([id]) => now.has(id)));
  }
}

/**
 * Returns where the writers of records are in each partition: each InfluxDB has its own, and they stand at different
 * positions.
 * @throws Error for a partition without any
 */
export function writerPositions({ INGEST }: Floors, partitions: number, which: 'first' | 'last'): number[] {
  return Array.from({ length: partitions }, (_, partition) => {
    const positions = Object.entries(INGEST).flatMap(([name, position]) => {
      const consumer = partitionConsumerOf(name);
      return consumer?.reader === 'writer' && consumer.partition === partition ? [position] : [];
    });
    if (positions.length === 0)
      throw new Error(`Partition ${partition} of the ingest log has no writer: see "catchment doctor"`);
    return which === 'first' ? Math.min(...positions) : Math.max(...positions);
  });
}

/**
 * Waits until the writer has finished what the log has at this moment.
 * @returns where it is: what it takes to the store from here on, it decides within the hold
 * @throws Error when it does not come so far
 */
export async function writerCaughtUp(
  streams: StreamCopy,
  partitions: number,
  say: (line: string) => void,
): Promise<number[]> {
  const { INGEST: end } = await streams.ends();
  const untilMs = performance.now() + WRITER_LIMIT_MS;
  for (let looks = 0; performance.now() < untilMs; looks += 1) {
    const positions = writerPositions(await streams.floors(), partitions, 'first');
    if (positions.every((position) => position >= end)) return positions;
    if (looks === 50) say('Waiting for the writer of records; is InfluxDB away?');
    await pause(LOOK_MS);
  }
  throw new Error('The writer of records is ten minutes behind: repair that first (see the log of historic)');
}
