import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, isRefusedMessage } from '@catchment/bus';
import {
  currentRequestId,
  extractTrace,
  injectTrace,
  type Logger,
  SpanKind,
  withRequestId,
  withSpan,
} from '@catchment/telemetry';
import type { Database } from './database.ts';
import { reportOutbox } from './outbox-metrics.ts';
import type { Queryable } from './queryable.ts';
import { Wakeup } from './wakeup.ts';

/** A domain event to be published once the transaction that made it is committed. */
export type OutboxMessage = { readonly subject: string; readonly data: Uint8Array };

type OutboxRow = { id: number; subject: string; data: Buffer; headers: Record<string, string> };

/** The broker will never take this message, for whatever it is like. */
type Refused = { readonly id: number; readonly reason: string };

const BATCH_ROWS = 200;
/** The limit is well below the time after which PostgreSQL ends a transaction that waits. */
const BATCH_LIMIT_MS = 10_000;
/** Refused messages are kept so long for people to read. */
const REFUSED_KEPT_DAYS = 30;
const POLL_MS = 1_000;
const RETRY_MS = 500;

/**
 * Adds messages to the running transaction: they are published exactly if it commits. Order holds among transactions that lock
 * the same row before they append; of others the one that commits later may have the lower ids and comes later all the same.
 */
export async function appendOutbox(tx: Queryable, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const requestId = currentRequestId();
  const carried = JSON.stringify({ ...injectTrace(), ...(requestId && { 'x-request-id': requestId }) });
  await tx.query(
    `WITH appended AS (
       INSERT INTO outbox (subject, data, headers)
       SELECT subject, data, $3::jsonb FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS m(subject, data, n) ORDER BY n
     ) SELECT pg_notify('outbox', current_schema())`,
    [messages.map((message) => message.subject), messages.map((message) => Buffer.from(message.data)), carried],
    'append-outbox',
  );
}

/** Keeps what the broker refuses where people find it: those behind it go on. */
async function setAside(tx: Queryable, refused: readonly Refused[]): Promise<void> {
  await tx.query(
    `INSERT INTO refused_outbox (id, subject, data, headers, reason)
     SELECT id, subject, data, headers, reason FROM outbox JOIN unnest($1::bigint[], $2::text[]) AS r (id, reason) USING (id)
     ON CONFLICT DO NOTHING`,
    [refused.map(({ id }) => id), refused.map(({ reason }) => reason)],
  );
  await tx.query('DELETE FROM refused_outbox WHERE refused_time < now() - make_interval(days => $1)', [
    REFUSED_KEPT_DAYS,
  ]);
}

/**
 * Publishes what the outbox holds, in the order of its ids, and removes what the broker has stored. One relay works at a
 * time however many replicas run one; a message that is published twice has the same message id. The broker's absence is
 * waited for; a message that it will never take is set aside in `refused_outbox`.
 */
export class OutboxRelay {
  readonly #database: Database;
  readonly #bus: Pick<Bus, 'publish'>;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #wakeup = new Wakeup();
  readonly #running: Promise<unknown>;
  readonly #stopReporting: () => void;
  readonly #pollMs: number;

  /** @param options.pollMs between looks at the outbox that nobody has asked for */
  constructor(options: { database: Database; bus: Pick<Bus, 'publish'>; log: Logger; pollMs?: number }) {
    this.#database = options.database;
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.#bus = options.bus;
    this.#log = options.log;
    this.#running = Promise.all([this.#relay(), this.#listen()]);
    this.#stopReporting = reportOutbox(options.database);
  }

  /** Says that there may be something to publish; also called by the database itself after each commit. */
  wake(): void {
    this.#wakeup.wake();
  }

  async stop(): Promise<void> {
    this.#stopReporting();
    this.#stop.abort();
    this.#wakeup.wake();
    await this.#running;
  }

  async #relay(): Promise<void> {
    for (let isWoken = true; !this.#stop.signal.aborted; ) {
      // The question comes once a second for ever: one statement takes a quarter of what a transaction does.
      if (!isWoken && !(await this.#hasMessages())) {
        isWoken = await this.#wakeup.woken(this.#pollMs);
        continue;
      }
      const { isMore, failure } = await this.#publishBatch().catch((err: unknown) => ({ isMore: true, failure: err }));
      if (failure !== undefined) {
        this.#log.warn({ err: failure }, 'outbox could not be published, trying again');
        await sleep(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
      } else if (!isMore) isWoken = await this.#wakeup.woken(this.#pollMs);
    }
  }

  /**
   * Returns whether another process has left something; true as well where that is not known: the transaction says why.
   */
  #hasMessages(): Promise<boolean> {
    return this.#database.query('SELECT FROM outbox LIMIT 1', [], 'outbox-filled').then(
      ({ rowCount }) => rowCount > 0,
      () => true,
    );
  }

  /** Publishes until a batch is through, its time is over, or the broker does not answer; published messages are removed in any case. */
  async #publishBatch(): Promise<{ isMore: boolean; failure?: unknown }> {
    const { schema } = this.#database;
    // Published again after a lost commit, a message is the same for the broker: it has the same id.
    return this.#database.transactionOnce(async (tx) => {
      const { rows: lock } = await tx.query<{ mine: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtext('outbox'), hashtext($1)) AS mine`,
        [schema],
      );
      if (!lock[0]?.mine) return { isMore: false };
      const { rows } = await tx.query<OutboxRow>('SELECT id, subject, data, headers FROM outbox ORDER BY id LIMIT $1', [
        BATCH_ROWS,
      ]);
      const [done, refused]: [number[], Refused[]] = [[], []];
      let failure: unknown;
      const untilMs = performance.now() + BATCH_LIMIT_MS;
      for (const row of rows) {
        if (performance.now() > untilMs) break;
        try {
          await this.#publish(schema, row);
        } catch (error) {
          failure = isRefusedMessage(error) ? undefined : error;
          if (failure !== undefined) break;
          refused.push({ id: row.id, reason: (error as Error).message });
          const { id, subject } = row;
          this.#log.error({ err: error, id, subject }, 'outbox message refused by the broker, set aside');
        }
        done.push(row.id);
      }
      if (refused.length > 0) await setAside(tx, refused);
      if (done.length > 0) await tx.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [done]);
      return { isMore: rows.length === BATCH_ROWS || done.length < rows.length, failure };
    });
  }

  #publish(schema: string, row: OutboxRow): Promise<unknown> {
    return withRequestId(row.headers['x-request-id'] ?? '-', () =>
      withSpan('outbox relay', { kind: SpanKind.INTERNAL, parent: extractTrace(row.headers) }, () =>
        this.#bus.publish(row.subject, row.data, { msgId: `${schema}-${row.id}` }),
      ),
    );
  }

  async #listen(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const client = await this.#database.dedicated();
        try {
          const lost = new Promise<void>((resolve) => client.once('error', () => resolve()));
          client.on('notification', ({ payload }) => payload === this.#database.schema && this.#wakeup.wake());
          await client.query('LISTEN outbox');
          await Promise.race([lost, aborted(this.#stop.signal)]);
        } finally {
          client.removeAllListeners('notification');
          client.release(true);
        }
      } catch (err) {
        this.#log.debug({ err }, 'outbox notifications interrupted');
        await sleep(POLL_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
      }
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
