import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, unavailable } from '@catchment/errors';
import { currentAccount, FairQueue, PLATFORM } from '@catchment/fair-queue';
import pg from 'pg';
import { CONTENTION, mapPgError } from './pg-errors.ts';

export type DatabaseOptions = {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** The service's own schema: the only one in its search path. */
  readonly schema: string;
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** A statement that takes longer is ended (kind deadline_exceeded). */
  readonly statementTimeoutMs?: number;
};

export type Row = Record<string, unknown>;

/** What runs a statement: the pool, or one transaction. Errors arrive as DomainError with the driver's as cause. */
export type Queryable = {
  /** `name` prepares the statement once per connection. */
  query<T = Row>(text: string, values?: readonly unknown[], name?: string): Promise<{ rows: T[]; rowCount: number }>;
};

/** Deadlocks and serialisation failures pass when one side has gone ahead. */
const MAX_ATTEMPTS = 3;
/** PostgreSQL is away when a new connection takes longer; waiting for one that is in use is another matter. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Waiting for a connection; shorter than what callers give a call. */
const QUEUE = { reason: 'DATABASE_BUSY', waitingPerAccount: 2_000, waiting: 4_000, waitMs: 20_000 } as const;

/** int8 is read as a number: our counters stay below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The database of which the current work holds a connection already. */
const held = new AsyncLocalStorage<Database>();

/**
 * A bounded pool of connections to one schema. Who finds all of them in use waits in a queue that the accounts share fairly; one
 * account has at most half of them. A quarter is for work that needs a second connection: it never waits for one that only waits.
 */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue;
  readonly #second: FairQueue;
  readonly schema: string;

  constructor(options: DatabaseOptions) {
    this.schema = options.schema;
    const max = options.maxConnections ?? 10;
    const second = Math.ceil(max / 4);
    this.#queue = new FairQueue({ ...QUEUE, capacity: Math.max(1, max - second) });
    this.#second = new FairQueue({ ...QUEUE, capacity: second });
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: options.statementTimeoutMs ?? 15_000,
      idle_in_transaction_session_timeout: 30_000,
      // Our statements are short or stream their first rows at once: compiling them costs more than it gives. Streams are
      // read to their end.
      options: `-c search_path=${options.schema} -c jit=off -c cursor_tuple_fraction=1`,
      types,
    });
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    this.#pool.on('error', () => {});
  }

  async query<T = Row>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<{ rows: T[]; rowCount: number }> {
    const leave = await this.#turn();
    try {
      return await run<T>(this.#pool, text, values, name);
    } finally {
      leave();
    }
  }

  /**
   * All or nothing. `work` must use the given connection only, and changes nothing outside: where PostgreSQL ends one of
   * two transactions that wait for each other, that one is run again.
   * @throws DomainError unavailable when it was ended for that reason three times
   */
  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transactOnce(work);
      } catch (error) {
        if (!(error instanceof DomainError) || error.reason !== CONTENTION) throw error;
        if (attempt === MAX_ATTEMPTS) throw unavailable('DATABASE_BUSY', { cause: error });
        await sleep(attempt * (10 + Math.random() * 40));
      }
    }
  }

  async #transactOnce<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      await run(client, 'BEGIN', []);
      const tx: Queryable = { query: (text, values = [], name) => run(client, text, values, name) };
      const result = await held.run(this, () => work(tx));
      await run(client, 'COMMIT', []);
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Rows of a large result in batches: one connection is held until the reader ends, memory stays at two batches, of which
   * one is fetched while the other is read. The time that the reader takes does not count as the statement's.
   */
  async *stream<T = Row>(text: string, values: readonly unknown[], batchRows: number): AsyncGenerator<T[]> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      // Each FETCH is a statement of its own with the whole of its time limit.
      await run(client, 'BEGIN READ ONLY', []);
      await run(client, `DECLARE streamed NO SCROLL CURSOR FOR ${text}`, values);
      const fetch = () => {
        const fetched = run<T>(client, `FETCH ${batchRows} FROM streamed`, []);
        // Nobody waits for a batch when the reader stops before it.
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
      await client.query('ROLLBACK').catch((error: Error) => {
        broken = error;
      });
      client.release(broken);
    }
  }

  /** @throws DomainError unavailable while PostgreSQL does not answer */
  async check(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** A connection of its own for LISTEN and session locks; the caller releases it. */
  async dedicated(): Promise<pg.PoolClient> {
    return this.#connect();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #turn(): Promise<() => void> {
    const queue = held.getStore() === this ? this.#second : this.#queue;
    return queue.enter({ account: currentAccount() ?? PLATFORM, cost: 1 });
  }

  /** A connection in its turn; releasing it gives the turn on. */
  async #connect(): Promise<pg.PoolClient> {
    const leave = await this.#turn();
    try {
      const client = await this.#pool.connect();
      const release = client.release;
      client.release = (broken) => {
        client.release = release;
        client.release(broken);
        leave();
      };
      return client;
    } catch (error) {
      leave();
      throw mapPgError(error);
    }
  }
}

async function run<T>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<{ rows: T[]; rowCount: number }> {
  try {
    const result = await on.query({ text, values: [...values], ...(name && { name }) });
    return { rows: result.rows as T[], rowCount: result.rowCount ?? 0 };
  } catch (error) {
    throw mapPgError(error);
  }
}
