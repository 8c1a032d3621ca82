import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '@catchment/errors';
import { currentAccount, FairQueue, PLATFORM, type Work } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import pg from 'pg';
import { dial } from './dial.ts';
import { isSilence, isSpoilt, mapPgError, SILENT } from './pg-errors.ts';
import { pingServer } from './ping-server.ts';
import { secondConnections } from './pool-size.ts';
import { RestartWait } from './restart-wait.ts';
import { type Asked, StoreWatch } from './store-watch.ts';

export type ConnectionOptions = {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** The schema of the service is the only one in its search path. */
  readonly schema: string;
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** A statement that takes longer is ended (kind deadline_exceeded). */
  readonly statementTimeoutMs?: number;
  /** A server that was there is waited for this long. */
  readonly restartLimitMs?: number;
  /** Gets the errors of connections that were lost, and that the disk of PostgreSQL is full. */
  readonly log?: Pick<Logger, 'info' | 'warn' | 'error'>;
};

/** PostgreSQL is away when a new connection takes longer; waiting for one that is in use is another matter. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Waiting for a connection; shorter than what callers give a call. */
const QUEUE = { reason: 'DATABASE_BUSY', waitingPerAccount: 2_000, waiting: 4_000, waitMs: 20_000 } as const;
const STATEMENT_TIMEOUT_MS = 15_000;
/** Margin after the server's own limit before a statement on a silent connection is given up, though PostgreSQL answers others. */
const SILENCE_MS = 5_000;
/** A machine that is busy takes a second for a new connection. */
const PING_LIMIT_MS = 4_000;
/** A server that hangs does not answer the end of a connection. */
const CLOSE_LIMIT_MS = 3_000;

/** int8 is read as a number: our counters stay below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The current work holds one of these connections already. */
const held = new AsyncLocalStorage<Connections>();
export const holdsConnection = (): boolean => held.getStore() !== undefined;

/**
 * A bounded pool of connections to one schema. While PostgreSQL hangs, statements under way end after some seconds and new ones are refused at
 * once (see `StoreWatch`). A request that finds all of them in use waits in a queue that the accounts share fairly; one
 * account has at most half of them. A quarter is for work that needs a second connection: it never waits for one that only waits.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #watch: StoreWatch;
  readonly #restarts: RestartWait;
  readonly #queue: FairQueue;
  readonly #second: FairQueue;

  constructor(options: ConnectionOptions) {
    const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
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
  }

  #turn(how: Pick<Work, 'lane' | 'isBulk'> = {}): Promise<() => void> {
    const queue = held.getStore() === this ? this.#second : this.#queue;
    return queue.enter({ account: currentAccount() ?? PLATFORM, cost: 1, ...how });
  }

  /** Takes a connection in its turn; releasing it gives the turn on. */
  async take(how?: Pick<Work, 'lane' | 'isBulk'>): Promise<pg.PoolClient> {
    const leave = await this.#turn(how);
    try {
      const client = await this.#restarts.over(() =>
        this.heard(
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

  /** Runs work that holds a connection: one that it takes besides is a second one. */
  holding<T>(work: () => Promise<T>): Promise<T> {
    return held.run(this, work);
  }

  /** Ends what a connection is in and gives it back; one that is lost is given up, and PostgreSQL ends it by itself. */
  async end(client: pg.PoolClient, statement: string, error?: unknown): Promise<void> {
    if (error instanceof DomainError && isSpoilt(error)) return client.release(true);
    await this.heard(() => client.query(statement)).then(
      () => client.release(),
      () => client.release(true),
    );
  }

  /**
   * Waits for PostgreSQL until that is found silent.
   * @param late gets what comes after that
   * @throws DomainError unavailable; the failure of the work
   */
  async heard<T>(ask: () => Promise<T>, late: (result: T) => void = () => {}): Promise<T> {
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

  async close(): Promise<void> {
    this.#watch.close();
    const limit = setTimeout(() => {
      for (const client of this.#clients) client.connection.stream.destroy();
    }, CLOSE_LIMIT_MS);
    await this.#pool.end();
    clearTimeout(limit);
  }
}
