import type { Database } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';
import type { EventRetention } from '../usecases/ports.ts';
import type { PgMonths } from './pg-months.ts';

/** Rows per transaction: no long locks, no large undo. */
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

  async purge(before: Parameters<EventRetention['purge']>[0]): Promise<number> {
    let removed = 0;
    // Partition by partition: a statement over all of them would lock all of them.
    for (const partition of await this.#months.partitions()) {
      removed += await this.#purgeRows(partition, where(`level = 'DEBUG' AND recorded_at < $1`), before.debugMs);
      if (before.allMs !== undefined) removed += await this.#purgeRows(partition, firstRecorded, before.allMs);
    }
    return removed + (await this.#purgeRows('deleted_nodes', where('deleted_at < $1'), before.deletedNodesMs));
  }

  /** Leaves the table to another replica that is at work on it. */
  async #purgeRows(table: string, chosen: (table: string) => string, beforeMs: number): Promise<number> {
    for (let removed = 0; ; ) {
      const batch = await this.#database.transaction(async (tx) => {
        const { rows } = await tx.query<{ mine: boolean }>(
          `SELECT pg_try_advisory_xact_lock(hashtext('events-purge'), hashtext(current_schema() || '.' || $1)) AS mine`,
          [table],
        );
        if (!rows[0]?.mine) return 0;
        const { rowCount } = await tx.query(`DELETE FROM ${table} WHERE ctid IN (${chosen(table)})`, [
          formatIsoMs(beforeMs),
        ]);
        return rowCount;
      });
      removed += batch;
      if (batch < BATCH_ROWS) return removed;
    }
  }
}

const where = (condition: string) => (table: string) =>
  `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH_ROWS}`;

/** Positions grow with the time of recording, and there is an index of them; of that time there is one for DEBUG events only. */
const firstRecorded = (table: string) =>
  `SELECT ctid FROM (SELECT ctid, recorded_at FROM ${table} WHERE position IS NOT NULL ORDER BY position LIMIT ${BATCH_ROWS}) AS first
   WHERE recorded_at < $1`;
