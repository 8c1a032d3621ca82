import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutPublishing } from '@catchment/bus';
import { DomainError, unavailable } from '@catchment/errors';
import { currentAccount, FairQueue, PLATFORM, type Work } from '@catchment/fair-queue';
import {
  databaseDuration,
  isTraceKept,
  type Logger,
  reportRefusedWrite,
  SpanKind,
  withSpan,
} from '@catchment/telemetry';
import pg from 'pg';
import { reportDatabaseClock } from './database-clock.ts';
import { dial } from './dial.ts';
import { CONTENTION, isDiskFull, isSilence, isSpoilt, mapPgError, SILENT } from './pg-errors.ts';
import { pingServer } from './ping-server.ts';
import { secondConnections } from './pool-size.ts';
import { RestartWait } from './restart-wait.ts';
import { type Asked, StoreWatch } from './store-watch.ts';

export type DatabaseOptions = {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** The schema of the service is the only one in its search path. */
  readonly schema: string;
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** A statement that takes longer is ended (kind deadline_exceeded). */
  readonly statementTimeoutMs?: number;
  /**
   * Tests run the work of transactions twice and undo the first time, as a conflict would. They so find work that changes something else.
   * All of the first hundred, then every tenth: it costs as much as the work.
   */
  readonly rehearsesTransactions?: boolean;
  /** A server that was there is waited for this long. */
  readonly restartLimitMs?: number;
  /** Gets the errors of connections that were lost, and that the disk of PostgreSQL is full. */
  readonly log?: Pick<Logger, 'info' | 'warn' | 'error'>;
};

export type Row = Record<string, unknown>;

/** Runs statements: the pool, or one transaction. Errors arrive as DomainError with the driver's as cause. */
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
/** Holds a connection as long as its reader takes: an account's statements find one beside its streams. */
const STREAM = { lane: 'streams', isBulk: true } as const;
const STATEMENT_TIMEOUT_MS = 15_000;
/** Margin after the server's own limit before a statement on a silent connection is given up, though PostgreSQL answers others. */
const SILENCE_MS = 5_000;
/** A machine that is busy takes a second for a new connection. */
const PING_LIMIT_MS = 4_000;
/** A server that hangs does not answer the end of a connection. */
const CLOSE_LIMIT_MS = 3_000;
const LOCK = 'SELECT pg_advisory_lock(hashtext($1), hashtext($2))';

/** int8 is read as a number: our counters stay below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The database of which the current work holds a connection already. */
const held = new AsyncLocalStorage<Database>();

/**
 * A bounded pool of connections to one schema. While PostgreSQL hangs, statements under way end after some seconds and new ones are refused at
 * once (see `StoreWatch`). A request that finds all of them in use waits in a queue that the accounts share fairly; one
 * account has at most half of them. A quarter is for work that needs a second connection: it never waits for one that only waits.
 */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #watch: StoreWatch;
  readonly #restarts: RestartWait;
  readonly #queue: FairQueue;
  readonly #second: FairQueue;
  readonly #rehearses: boolean;
  /** Texts of statements by name, while rehearsing: one connection of many refuses a name that stands for two texts, now and then. */
  readonly #texts = new Map<string, string>();
  #beforeCommit: ((tx: Queryable) => Promise<unknown> | undefined) | undefined;
  #transactions = 0;
  readonly #stopReporting: () => void;
  readonly #log: Pick<Logger, 'error'>;
  readonly schema: string;

  constructor(options: DatabaseOptions) {
    this.#log = options.log ?? { error: () => {} };
    const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
    this.schema = options.schema;
    this.#rehearses = options.rehearsesTransactions ?? false;
    const max = options.maxConnections ?? 10;
    const second = secondConnections(max);
    this.#queue = new FairQueue({ ...QUEUE, capacity: Math.max(1, max - second) });
    this.#second = new FairQueue({ ...QUEUE, capacity: second });
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      stream: () => dial(),
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + SILENCE_MS,
      idle_in_transaction_session_timeout: 30_000,
      // Our statements are short or stream their first rows at once: compiling them costs more than it gives. Streams are
      // read to their end.
      options: Object.entries({
        search_path: options.schema,
        jit: 'off',
        cursor_tuple_fraction: '1',
      })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      types,
    });
    // A connection that breaks emits an error, which would end the process without a listener. The pool listens to idle
    // clients only, so each one gets its own for life. Its statements fail by themselves, and the pool replaces it.
    this.#pool.on('connect', (client) => {
      this.#clients.add(client);
      client.once('error', (err) => options.log?.warn({ err }, 'database connection lost'));
      client.on('error', () => {});
    });
    // An idle client reports the same error again.
    this.#pool.on('error', () => {});
    this.#pool.on('remove', (client) => this.#clients.delete(client));
    this.#watch = new StoreWatch({
      store: 'PostgreSQL',
      reason: SILENT,
      ping: (signal) => pingServer(options.url, signal),
      pingLimitMs: PING_LIMIT_MS,
      log: options.log ?? { info: () => {}, warn: () => {} },
    });
    this.#restarts = new RestartWait(options.restartLimitMs);
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
    const client = await this.#connect();
    try {
      const result = await this.#run<T>(client, text, values, name);
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
        if (attempt === 1 && this.#isRehearsed()) await this.#transact(repeatable, 'ROLLBACK');
        return await this.#transact(repeatable, 'COMMIT');
      } catch (error) {
        if (!(error instanceof DomainError) || error.reason !== CONTENTION) throw error;
        if (attempt === MAX_ATTEMPTS) throw unavailable('DATABASE_BUSY', { cause: error });
        await sleep(attempt * (10 + Math.random() * 40));
      }
    }
  }

  /**
   * A transaction that is never run again here, so that `work` may have effects elsewhere. Its caller repeats it as a whole
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
    const client = await this.#connect();
    try {
      for (const key of [...new Set(keys)].sort())
        await this.#run(client, LOCK, [`${this.schema}.${space}`, key], 'lock-session');
      return await held.run(this, work);
    } finally {
      await this.#end(client, 'SELECT pg_advisory_unlock_all()');
    }
  }

  /** Returns whether the next transaction is one that a test has run twice. */
  #isRehearsed(): boolean {
    if (!this.#rehearses) return false;
    this.#transactions += 1;
    return this.#transactions <= 100 || this.#transactions % 10 === 0;
  }

  async #transact<T>(work: (tx: Queryable) => Promise<T>, ending: 'COMMIT' | 'ROLLBACK'): Promise<T> {
    const client = await this.#connect();
    try {
      await this.#run(client, 'BEGIN', []);
      const tx: Queryable = { query: (text, values = [], name) => this.#run(client, text, values, name) };
      const result = await held.run(this, async () => {
        const done = await work(tx);
        await this.#beforeCommit?.(tx);
        return done;
      });
      await this.#run(client, ending, []);
      client.release();
      return result;
    } catch (error) {
      await this.#end(client, 'ROLLBACK', error);
      throw error;
    }
  }

  /**
   * Rows of a large result in batches: one connection is held until the reader ends, memory stays at two batches, of which
   * one is fetched while the other is read. The time that the reader takes does not count as the statement's.
   */
  async *stream<T = Row>(text: string, values: readonly unknown[], batchRows: number): AsyncGenerator<T[]> {
    const client = await this.#connect(STREAM);
    try {
      // Each FETCH is a separate statement with the whole of its time limit.
      await this.#run(client, 'BEGIN READ ONLY', []);
      await this.#run(client, `DECLARE streamed NO SCROLL CURSOR FOR ${text}`, values);
      const fetch = () => {
        const fetched = this.#run<T>(client, `FETCH ${batchRows} FROM streamed`, []);
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
      await this.#end(client, 'ROLLBACK');
    }
  }

  /** @throws DomainError unavailable while PostgreSQL does not answer */
  async check(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** A separate connection for LISTEN and session locks; the caller releases it. */
  async dedicated(): Promise<pg.PoolClient> {
    return this.#connect();
  }

  async close(): Promise<void> {
    this.#stopReporting();
    this.#watch.close();
    const limit = setTimeout(() => {
      for (const client of this.#clients) client.connection.stream.destroy();
    }, CLOSE_LIMIT_MS);
    await this.#pool.end();
    clearTimeout(limit);
  }

  #turn(how: Pick<Work, 'lane' | 'isBulk'> = {}): Promise<() => void> {
    const queue = held.getStore() === this ? this.#second : this.#queue;
    return queue.enter({ account: currentAccount() ?? PLATFORM, cost: 1, ...how });
  }

  /** A connection in its turn; releasing it gives the turn on. */
  async #connect(how?: Pick<Work, 'lane' | 'isBulk'>): Promise<pg.PoolClient> {
    const leave = await this.#turn(how);
    try {
      const client = await this.#restarts.over(() =>
        this.#heard(
          () => this.#pool.connect(),
          (late) => late.release(true),
        ),
      );
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

  /** Ends what a connection is in and gives it back; one that is lost is given up, and PostgreSQL ends it by itself. */
  async #end(client: pg.PoolClient, statement: string, error?: unknown): Promise<void> {
    if (error instanceof DomainError && isSpoilt(error)) return client.release(true);
    await this.#heard(() => client.query(statement)).then(
      () => client.release(),
      () => client.release(true),
    );
  }

  /** A statement of a trace that is kept has a span: its kind, never its text or values. */
  #run<T>(client: pg.PoolClient, text: string, values: readonly unknown[], name?: string) {
    if (!isTraceKept() || text === 'BEGIN') return this.#ask<T>(client, text, values, name);
    const operation = operationOf(text);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.namespace': `${client.database ?? ''}|${this.schema}`,
      ...(name && { 'db.query.summary': name }),
      'server.address': client.host,
      'server.port': client.port,
    };
    const settings = { kind: SpanKind.CLIENT, attributes, hidesErrors: true };
    return withSpan(`${operation} ${this.schema}`, settings, () => this.#ask<T>(client, text, values, name));
  }

  async #ask<T>(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<{ rows: T[]; rowCount: number }> {
    if (this.#rehearses && name && this.#texts.getOrInsert(name, text) !== text)
      throw new Error(`two statements have the name ${name}`);
    const beganMs = performance.now();
    const ended = (error_type: string) =>
      databaseDuration.observe(
        { db_system_name: 'postgresql', db_operation_name: operationOf(text), error_type },
        (performance.now() - beganMs) / 1_000,
      );
    try {
      const result = await this.#heard(() => client.query({ text, values: [...values], ...(name && { name }) }));
      ended('');
      return { rows: result.rows as T[], rowCount: result.rowCount ?? 0 };
    } catch (error) {
      const known = mapPgError(error);
      ended(known.kind);
      if (isDiskFull(error))
        reportRefusedWrite(this.#log, {
          store: 'postgresql',
          part: '',
          reason: 'full',
          says: (error as Error).message,
        });
      throw known;
    }
  }

  /**
   * Waits for PostgreSQL until that is found silent.
   * @param late gets what comes after that
   * @throws DomainError unavailable; the failure of the work
   */
  async #heard<T>(ask: () => Promise<T>, late: (result: T) => void = () => {}): Promise<T> {
    const asked: Asked = this.#watch.ask();
    const silence = Promise.withResolvers<never>();
    const giveUp = () => silence.reject(asked.signal.reason);
    asked.signal.addEventListener('abort', giveUp, { once: true });
    try {
      const answer = ask();
      answer.then(
        (result) => asked.signal.aborted && late(result),
        () => undefined,
      );
      const result = await Promise.race([answer, silence.promise]);
      asked.heard();
      return result;
    } catch (error) {
      if (!isSilence(error)) asked.heard();
      throw error;
    } finally {
      asked.end();
    }
  }
}

/** SELECT, INSERT, WITH …: the first word of a statement of ours. */
const operationOf = (text: string): string => /[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? '';
