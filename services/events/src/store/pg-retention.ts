import type { Database } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';
import type { EventRetention, StoredBefore } from '../usecases/ports.ts';
import type { PgMonths } from './pg-months.ts';

/** A transaction removes this many rows: no long locks, no large undo. */
const BATCH_ROWS = 5_000;

export class PgRetention implements EventRetention {
  readonly #database: Database;
  readonly #months: PgMonths;

  constructor(database: Database, months: PgMonths) {
    this.#database = database;
    this.#months = months;
  }

  makeMonthsAhead(nowMs: number): Promise<void> {
    return this.#months.makeAhead(nowMs);
  }

  async purge(before: Parameters<EventRetention['purge']>[0], stopping: AbortSignal): Promise<number> {
    let removed = 0;
    // Partition by partition: a statement over all of them would lock all of them.
    for (const partition of await this.#months.partitions()) {
      const isOld = where(`level = 'DEBUG' AND recorded_at < $1`);
      removed += await this.#purgeRows(partition, isOld, [formatIsoMs(before.debugMs)], stopping);
    }
    const deleted = [formatIsoMs(before.deletedNodesMs)];
    return removed + (await this.#purgeRows('deleted_nodes', where('deleted_at < $1'), deleted, stopping));
  }

  async purgeStoredBefore({ allMs, own }: StoredBefore, stopping: AbortSignal): Promise<number> {
    const time = (ms: number | undefined) => (ms === undefined ? null : formatIsoMs(ms));
    const values = [time(allMs), [...own.keys()], [...own.values()].map(time)];
    let removed = 0;
    for (const partition of await this.#months.partitions())
      for (const first of [firstPlaced, firstWithoutPlace])
        removed += await this.#purgeRows(partition, first, values, stopping);
    return removed;
  }

  /** Leaves the table to another replica that is at work on it. */
  async #purgeRows(
    table: string,
    chosen: (table: string) => string,
    values: unknown[],
    stopping: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    while (!stopping.aborted) {
      const batch = await this.#database.transaction(async (tx) => {
        const { rows } = await tx.query<{ mine: boolean }>(
          `SELECT pg_try_advisory_xact_lock(hashtext('events-purge'), hashtext(current_schema() || '.' || $1)) AS mine`,
          [table],
        );
        if (!rows[0]?.mine) return 0;
        const { rowCount } = await tx.query(`DELETE FROM ${table} WHERE ctid IN (${chosen(table)})`, values);
        return rowCount;
      });
      removed += batch;
      if (batch < BATCH_ROWS) break;
    }
    return removed;
  }
}

const where = (condition: string) => (table: string) =>
  `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH_ROWS}`;

/**
 * The first events of each account that are old enough, by an index of the account and what grows with the time of recording: the first one
 * says whether any is.
 */
const firstRecorded = (isOne: string, order: string) => (table: string) =>
  `
  WITH RECURSIVE owners (owner_id) AS (
    (SELECT owner_id FROM ${table} WHERE ${isOne} ORDER BY owner_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.owner_id FROM ${table} t WHERE ${isOne} AND t.owner_id > o.owner_id ORDER BY t.owner_id LIMIT 1)
    FROM owners o WHERE o.owner_id IS NOT NULL),
  ends AS (
    SELECT o.owner_id, CASE WHEN own.owner_id IS NULL THEN $1::timestamptz ELSE own.before END AS before
    FROM owners o LEFT JOIN unnest($2::text[], $3::timestamptz[]) AS own (owner_id, before) ON own.owner_id = o.owner_id)
  SELECT first.ctid FROM ends e CROSS JOIN LATERAL (
    SELECT ctid, recorded_at FROM ${table} WHERE owner_id = e.owner_id AND ${isOne} ORDER BY ${order} LIMIT ${BATCH_ROWS}) AS first
  WHERE first.recorded_at < e.before AND e.before > (
    SELECT recorded_at FROM ${table} WHERE owner_id = e.owner_id AND ${isOne} ORDER BY ${order} LIMIT 1)
  LIMIT ${BATCH_ROWS}`;

/** There is no index of the time of recording but for DEBUG events: positions grow with it. */
const firstPlaced = firstRecorded('position IS NOT NULL', 'position');
/** Events of an account that was restored alone have no position, nor have those from before there were positions. */
const firstWithoutPlace = firstRecorded('position IS NULL', 'recorded_at');
