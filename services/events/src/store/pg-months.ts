import type { Database, Queryable } from '@catchment/pg';
import { addMonths, firstInstant, type Month, monthOf, partitionName } from '../domain/month.ts';

/** This month and the next two are always there. */
const MONTHS_AHEAD = 2;
const MONTH_NAME = /^events_\d{4}_\d{2}$/;

/** Makes the months' partitions of the event log, and remembers which there are. */
export class PgMonths {
  readonly #database: Database;
  readonly #monthsMax: number;
  #known: ReadonlySet<string> = new Set();

  /** @param options.monthsMax beyond it, months are made ahead only; events of others stay in `events_other` */
  constructor(database: Database, options: { monthsMax: number }) {
    this.#database = database;
    this.#monthsMax = options.monthsMax;
  }

  /** Makes the months of these times where the limit allows it. */
  async ensure(timesMs: readonly number[]): Promise<void> {
    const months = new Map(timesMs.map((timeMs) => [partitionName(monthOf(timeMs)), monthOf(timeMs)]));
    for (const [name, month] of months) {
      if (this.#known.has(name) || this.#known.size >= this.#monthsMax) continue;
      await this.#make(month, { always: false });
    }
  }

  async makeAhead(nowMs: number): Promise<void> {
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
      const month = addMonths(monthOf(nowMs), ahead);
      if (!this.#known.has(partitionName(month))) await this.#make(month, { always: true });
    }
  }

  /** Names of all partitions: the months, and the one that holds the rest. */
  async partitions(): Promise<readonly string[]> {
    return [...(await monthsIn(this.#database)), 'events_other'];
  }

  /**
   * All replicas together make one partition at a time. What already lies in `events_other` moves along, in the same
   * transaction: nobody sees the log without it.
   */
  async #make(month: Month, { always }: { always: boolean }): Promise<void> {
    const name = partitionName(month);
    const [from, to] = [firstInstant(month), firstInstant(addMonths(month, 1))];
    this.#known = await this.#database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtext('events-months'), hashtext(current_schema()))`);
      const known = await monthsIn(tx);
      if (known.has(name) || (!always && known.size >= this.#monthsMax)) return known;
      // Names are digits, bounds are made by us: DDL takes no parameters.
      await tx.query(`CREATE TABLE ${name} (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
      await tx.query(
        `WITH moved AS (DELETE FROM events_other WHERE event_time >= $1 AND event_time < $2 RETURNING *)
         INSERT INTO ${name} SELECT * FROM moved`,
        [from, to],
      );
      await tx.query(`ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
      return known.add(name);
    });
  }
}

async function monthsIn(on: Queryable): Promise<Set<string>> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'events'::regclass`,
  );
  return new Set(rows.map((row) => row.name).filter((name) => MONTH_NAME.test(name)));
}
