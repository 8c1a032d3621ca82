import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { REMOTE_LIMITS, textWithin } from '@catchment/egress';
import { DomainError, unavailable } from '@catchment/errors';
import { Pace } from '@catchment/fair-queue';
import { StoreWatch } from '@catchment/pg';
import { influxDiskBytes } from '@catchment/service/influx-disk';
import {
  databaseDuration,
  isTraceKept,
  type Logger,
  reportRefusedWrite,
  SpanKind,
  withSpan,
} from '@catchment/telemetry';
import { HttpError, InfluxDB, setLogger } from '@influxdata/influxdb-client';
import { Agent, type Dispatcher, request } from 'undici';
import { seriesOf } from './influx-rows.ts';
import { withLimitedSignal } from './limited-signal.ts';

export type InfluxOptions = {
  /** http://user:password@host:port */
  readonly url: string;
  readonly database: string;
  readonly log: Logger;
  /** Metrics and traces name the shard, where there are several. */
  readonly shard?: string;
};

/** A write or statement that takes longer is given up; well below the time after which another replica may take over. */
const WRITE_LIMIT_MS = 12_000;
const STATEMENT_LIMIT_MS = 15_000;
const MAX_SOCKETS = 32;
/** A connection with its TLS takes at most this: reads once waited 10 s for a server whose address had changed. */
const DIAL_LIMIT_MS = 3_000;
/** Answers have this form: it takes InfluxDB from 1.4 on, and us, half of the time that CSV does, and less than JSON. */
const MESSAGE_PACK = 'application/x-msgpack';
/** A shard of InfluxDB has a year: series span decades, and each shard that a write touches costs (docs/adr/0002). */
const SHARD_DURATION = '52w';

// Failures arrive as errors; the library would print them too.
setLogger({ error: () => {}, warn: () => {} });

/** Any InfluxDB takes line protocol at `/write` and InfluxQL at `/query` (docs/reference/guarantees.md#stores-of-any-generation). */
export class InfluxConnection {
  readonly #origin: string;
  readonly #database: string;
  readonly #headers: Record<string, string>;
  readonly #agent: HttpAgent;
  readonly #client: InfluxDB;
  /** Questions use these connections: fetch costs a third more, and leaves a stream of the web in between. */
  readonly #questions = new Agent({
    connections: MAX_SOCKETS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: DIAL_LIMIT_MS },
  });
  readonly #writePath: string;
  readonly #watch: StoreWatch;
  readonly #log: Logger;
  readonly shard: string;
  #databaseExists = false;

  constructor({ url, database, log, shard = 'default' }: InfluxOptions) {
    this.shard = shard;
    this.#log = log;
    const { origin, pathname, username, password } = new URL(url);
    this.#origin = origin + pathname.replace(/\/+$/, '');
    this.#database = database;
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#headers = username ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` } : {};
    const pool = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.#agent = url.startsWith('https:') ? new HttpsAgent(pool) : new HttpAgent(pool);
    this.#client = new InfluxDB({
      url: this.#origin,
      timeout: WRITE_LIMIT_MS,
      headers: this.#headers,
      transportOptions: { agent: this.#agent },
    });
    this.#writePath = `/write?db=${encodeURIComponent(database)}&precision=ms`;
    this.#watch = new StoreWatch({
      store: 'InfluxDB',
      reason: 'INFLUX_SILENT',
      ping: (signal) => this.#ping(signal),
      log,
    });
  }

  /**
   * Writes lines (timestamps in ms).
   * @throws DomainError invalid_argument: refused as malformed; unavailable: everything else
   */
  async write(lines: string, signal: AbortSignal): Promise<void> {
    await this.ensureDatabase(signal);
    await withSpan(
      `write ${this.#database}`,
      { kind: SpanKind.CLIENT, attributes: this.#attributes('write') },
      async () => {
        const ended = this.#measured('write');
        try {
          // The client's transport is used rather than its WriteApi: that counts the bytes of every line in a loop, 1 ms for a
          // thousand points, for batches and retries that are the bus's business here (docs/adr/0002).
          await withLimitedSignal(signal, WRITE_LIMIT_MS, (limited) =>
            this.#client.transport.request(this.#writePath, lines, { method: 'POST', signal: limited }),
          );
          ended('');
        } catch (error) {
          const known = this.#writeError(error);
          ended(known.kind);
          throw known;
        }
      },
    );
  }

  /**
   * Yields the answer of a statement, piece by piece, for `seriesOf` and `rowsOf`; `parameters` go to the query string.
   * @throws DomainError unavailable, soon when InfluxDB hangs
   */
  async *query(
    statement: string,
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const asked = this.#watch.ask();
    try {
      const either = AbortSignal.any([signal, asked.signal]);
      await this.ensureDatabase(either);
      const body = await this.#post('/query', { q: statement, ...parameters }, either);
      asked.heard();
      // A socket that is full brings many pieces at once.
      const pace = new Pace({ signal: either });
      for await (const piece of body) {
        asked.heard();
        yield piece;
        if (pace.isOver) await pace.next();
      }
    } catch (error) {
      asUnavailable(error);
    } finally {
      asked.end();
    }
  }

  /** Runs statements that answer nothing of interest. @throws DomainError unavailable */
  async execute(statements: string, signal: AbortSignal): Promise<void> {
    await this.ensureDatabase(signal);
    await this.#run(statements, signal);
  }

  /**
   * Creates the database where it is missing; once per life of the process, and again when InfluxDB lost it. One that
   * its operator has made, with a retention policy of another shard duration, is used as it is.
   */
  async ensureDatabase(signal: AbortSignal): Promise<void> {
    if (this.#databaseExists) return;
    const create = `CREATE DATABASE "${this.#database}" WITH DURATION INF REPLICATION 1 SHARD DURATION ${SHARD_DURATION} NAME "autogen"`;
    await this.#run(create, signal).catch((error: Error) => {
      if (!/conflicts with an existing policy/.test(String((error.cause as Error | undefined)?.message))) throw error;
    });
    this.#databaseExists = true;
  }

  /** @throws while it does not answer */
  async check(signal: AbortSignal): Promise<void> {
    await this.#ping(signal);
  }

  /** Counts the bytes of the database on the disk of InfluxDB; undefined where that does not say. */
  diskBytes(signal: AbortSignal): Promise<number | undefined> {
    return influxDiskBytes(this.#origin, this.#database, { headers: this.#headers, signal });
  }

  close(): void {
    this.#watch.close();
    this.#agent.destroy();
    void this.#questions.destroy();
  }

  /** Asks on a further connection where those of questions are taken: fetch makes as many as are needed. */
  async #ping(signal: AbortSignal): Promise<void> {
    const response = await fetch(`${this.#origin}/ping`, { headers: this.#headers, signal });
    await response.body?.cancel();
  }

  async #run(statements: string, signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(STATEMENT_LIMIT_MS)]);
    const body = await this.#post('/query', { q: statements }, limited);
    await Array.fromAsync(seriesOf(body)).catch(asUnavailable);
  }

  #post(
    path: string,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData['body']> {
    const ask = () => this.#answer(path, form, signal);
    if (!isTraceKept()) return ask();
    const attributes = this.#attributes('query');
    return withSpan(`query ${this.#database}`, { kind: SpanKind.CLIENT, attributes }, ask);
  }

  async #answer(
    path: string,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData['body']> {
    const ended = this.#measured('query');
    const { statusCode, headers, body } = await request(this.#origin + path, {
      method: 'POST',
      // Answers are not compressed: gzip costs InfluxDB more time than the answer it packs.
      headers: { ...this.#headers, accept: MESSAGE_PACK, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ db: this.#database, ...form }).toString(),
      signal,
      dispatcher: this.#questions,
    }).catch((error: unknown) => {
      ended('unavailable');
      return asUnavailable(error);
    });
    // The question is timed until its answer begins: how fast the answer is read is up to the reader.
    const type = String(headers['content-type']);
    const isAnswer = statusCode === 200 && type.startsWith(MESSAGE_PACK);
    ended(isAnswer ? '' : 'unavailable');
    if (isAnswer) return body;
    // A body that is not read to its end emits an error, which would end the process without a listener.
    body.on('error', () => undefined);
    if (statusCode === 200) {
      // The text of an error may be as long as any answer.
      body.destroy();
      throw unavailable('INFLUX_REFUSED', {
        cause: new Error(`it answers ${type} when asked for ${MESSAGE_PACK}: InfluxDB 1.6 or later is needed`),
      });
    }
    const text = headers['x-influxdb-error'] ?? (await textWithin(body, REMOTE_LIMITS.reply).catch(() => ''));
    throw unavailable('INFLUX_REFUSED', { cause: new Error(`status ${statusCode}: ${String(text).slice(0, 300)}`) });
  }

  #measured(operation: 'query' | 'write'): (errorType: string) => void {
    const beganMs = performance.now();
    return (errorType) =>
      databaseDuration.observe(
        { db_system_name: 'influxdb', db_operation_name: operation, error_type: errorType, shard: this.shard },
        (performance.now() - beganMs) / 1_000,
      );
  }

  #attributes(operation: string) {
    const { hostname, port, protocol } = new URL(this.#origin);
    return {
      'db.system.name': 'influxdb',
      'db.operation.name': operation,
      'db.namespace': this.#database,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    };
  }

  #writeError(error: unknown): DomainError {
    const status = error instanceof HttpError ? error.statusCode : 0;
    if (status === 400) {
      const text = (error as HttpError).body ?? '';
      return new DomainError('invalid_argument', 'INFLUX_REFUSED_LINES', text.slice(0, 300), { cause: error });
    }
    if (status === 404) this.#databaseExists = false;
    const says = error instanceof HttpError ? (error.body ?? error.message) : '';
    if (/no space left/i.test(says))
      reportRefusedWrite(this.#log, { store: 'influxdb', part: this.shard, reason: 'full', says: says.trim() });
    return unavailable('INFLUX_UNAVAILABLE', { cause: error });
  }
}

function asUnavailable(error: unknown): never {
  if (error instanceof DomainError) throw error;
  throw unavailable('INFLUX_UNAVAILABLE', { cause: error });
}
