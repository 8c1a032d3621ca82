import { setTimeout as sleep } from 'node:timers/promises';
import { withoutPublishing } from '@catchment/bus';
import { DomainError, unavailable } from '@catchment/errors';
import type pg from 'pg';
import { type ConnectionOptions, Connections } from './connections.ts';
import { reportDatabaseClock } from './database-clock.ts';
import { CONTENTION, isSpoilt, mapPgError } from './pg-errors.ts';
import type { Queryable, Row } from './queryable.ts';
import { Rehearsal } from './rehearsal.ts';
import { Statements } from './statements.ts';

export type DatabaseOptions = ConnectionOptions & {
  /**
   * Tests run the work of transactions twice and undo the first time, as a conflict would. They so find work that changes something else.
   * Rehearses all of the first hundred, then every tenth: it costs as much as the work.
   */
  readonly rehearsesTransactions?: boolean;
};

/** Deadlocks and serialisation failures pass when one side has gone ahead. */
const MAX_ATTEMPTS = 3;
/** Holds a connection as long as its reader takes: an account's statements find one beside its streams. */
const STREAM = { lane: 'streams', isBulk: true } as const;
const LOCK = 'SELECT pg_advisory_lock(hashtext($1), hashtext($2))';

/** Statements, transactions, locks and streams on one schema. */
export class Database implements Queryable {
  readonly #connections: Connections;
  readonly #statements: Statements;
  readonly #rehearsal: Rehearsal | undefined;
  #beforeCommit: ((tx: Queryable) => Promise<unknown> | undefined) | undefined;
  readonly #stopReporting: () => void;
  readonly schema: string;

  constructor(options: DatabaseOptions) {
    const { schema, log = { error: () => {} } } = options;
    this.schema = schema;
    this.#rehearsal = options.rehearsesTransactions ? new Rehearsal() : undefined;
    this.#connections = new Connections(options);
    this.#statements = new Statements(this.#connections, { schema, log, rehearsal: this.#rehearsal });
    this.#stopReporting = reportDatabaseClock(this);
  }

  /** Runs at the end of each transaction, as a part of it; undefined where it has nothing to do. A failure undoes the transaction. */
  beforeCommit(work: (tx: Queryable) => Promise<unknown> | undefined): void {
    this.#beforeCommit = work;
  }

  async query<T = Row>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<{ rows: T[]; rowCount: number }> {
    const client = await this.#connections.take();
    try {
      const result = await this.#statements.run<T>(client, text, values, name);
      client.release();
      return result;
    } catch (error) {
      client.release(isSpoilt(mapPgError(error)));
      throw error;
    }
  }

  /**
   * All or nothing. Where PostgreSQL ends one of two transactions that wait for each other, `work` is run again: it uses the
   * given connection only and changes nothing else. Publishing from within is refused (see `appendOutbox`).
   * @throws DomainError unavailable when it was ended for that reason three times
   */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const repeatable = (tx: Queryable) => withoutPublishing(() => work(tx));
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (attempt === 1 && this.#rehearsal?.isNext()) await this.#transact(repeatable, 'ROLLBACK');
        return await this.#transact(repeatable, 'COMMIT');
      } catch (error) {
        if (!(error instanceof DomainError) || error.reason !== CONTENTION) throw error;
        if (attempt === MAX_ATTEMPTS) throw unavailable('DATABASE_BUSY', { cause: error });
        await sleep(attempt * (10 + Math.random() * 40));
      }
    }
  }

  /**
   * Runs a transaction that is never run again here, so that `work` may have effects elsewhere. Its caller repeats it as a whole
   * where that does no harm.
   * @throws DomainError conflict when PostgreSQL ended it in favour of another one
   */
  transactionOnce<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#transact(work, 'COMMIT');
  }

  /**
   * Runs `work`, once, while it alone holds these keys; waits for them no longer than a statement may take. A
   * connection is held meanwhile. Should it break, the keys are free for others before `work` has ended.
   * @param space what the keys belong to
   */
  async locked<T>(space: string, keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const client = await this.#connections.take();
    try {
      for (const key of [...new Set(keys)].sort())
        await this.#statements.run(client, LOCK, [`${this.schema}.${space}`, key], 'lock-session');
      return await this.#connections.holding(work);
    } finally {
      await this.#connections.end(client, 'SELECT pg_advisory_unlock_all()');
    }
  }

  async #transact<T>(work: (tx: Queryable) => Promise<T>, ending: 'COMMIT' | 'ROLLBACK'): Promise<T> {
    const client = await this.#connections.take();
    try {
      await this.#statements.run(client, 'BEGIN', []);
      const tx: Queryable = { query: (text, values = [], name) => this.#statements.run(client, text, values, name) };
      const result = await this.#connections.holding(async () => {
        const done = await work(tx);
        await this.#beforeCommit?.(tx);
        return done;
      });
      await this.#statements.run(client, ending, []);
      client.release();
      return result;
    } catch (error) {
      await this.#connections.end(client, 'ROLLBACK', error);
      throw error;
    }
  }

  /**
   * Rows of a large result in batches: one connection is held until the reader ends, memory stays at two batches, of which
   * one is fetched while the other is read. The time that the reader takes does not count as the statement's.
   */
  async *stream<T = Row>(text: string, values: readonly unknown[], batchRows: number): AsyncGenerator<T[]> {
    const client = await this.#connections.take(STREAM);
    try {
      // Each FETCH is a separate statement with the whole of its time limit.
      await this.#statements.run(client, 'BEGIN READ ONLY', []);
      await this.#statements.run(client, `DECLARE streamed NO SCROLL CURSOR FOR ${text}`, values);
      const fetch = () => {
        const fetched = this.#statements.run<T>(client, `FETCH ${batchRows} FROM streamed`, []);
        // Nobody waits for a batch when the reader stops before it; whoever waits gets its error.
        fetched.catch(() => undefined);
        return fetched;
      };
      for (let next = fetch(); ; ) {
        const { rows } = await next;
        const isLast = rows.length < batchRows;
        if (!isLast) next = fetch();
        if (rows.length > 0) yield rows;
        if (isLast) return;
      }
    } finally {
      await this.#connections.end(client, 'ROLLBACK');
    }
  }

  /** @throws DomainError unavailable while PostgreSQL does not answer */
  async check(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** A separate connection for LISTEN and session locks; the caller releases it. */
  async dedicated(): Promise<pg.PoolClient> {
    return this.#connections.take();
  }

  async close(): Promise<void> {
    this.#stopReporting();
    await this.#connections.close();
  }
}
