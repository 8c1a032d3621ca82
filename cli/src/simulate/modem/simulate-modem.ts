import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { countOf } from '@catchment/number-format';
import type { Address } from '../options.ts';
import { backoffMs } from '../station/backoff.ts';
import { type MessageCounts, noMessages } from '../station/counts.ts';
import { type FaultRates, Faults } from '../station/faults.ts';
import { type ReportedDocument, readingAt, seedOf } from '../station/readings.ts';
import { type NextDocument, readingsOf } from '../station/records.ts';
import { MessageQueue, type Queued } from './message-queue.ts';
import { ModemLink, type ServerMessage } from './modem-link.ts';

export type SimulateModemOptions = {
  /** Servers of one installation: the next one is tried after each connection. */
  readonly servers: readonly [Address, ...Address[]];
  /** The key is a 15-digit IMEI or a 12-digit device number. */
  readonly deviceKey: string;
  readonly secret?: string;
  /** The time between two reports. */
  readonly intervalSeconds: number;
  /** Stops the modem at once; the promise then resolves. */
  readonly signal: AbortSignal;
  /** No more reports: the modem ends when those that it has are answered. */
  readonly finish?: AbortSignal;
  /** One line per event. */
  readonly log: (line: string) => void;
  readonly tls?: boolean;
  /** Same seed, same readings and faults; default: the device key. */
  readonly seed?: number;
  /** Reports kept while the server is away; default 10 000. */
  readonly queueLimit?: number;
  /** Replaces the readings of a tank. */
  readonly next?: NextDocument;
  /** The modem ends when this many reports are answered. */
  readonly messages?: number;
  readonly faults?: FaultRates;
  /** The time before the first connection. */
  readonly connectAfterMs?: number;
  /** Every report is this late, so that modems of a fleet do not report all at once. */
  readonly phaseMs?: number;
  /** Counts that several modems may share. */
  readonly counts?: ModemCounts;
  readonly journal?: Journal;
  readonly now?: () => number;
};

export type ModemCounts = MessageCounts & {
  /** Modems that are welcome now. */
  connected: number;
  /** Reports that are not answered now, sent or not. */
  waiting: number;
  /** Dropped because the queue was full. */
  lost: number;
  reconnects: number;
};

/** Called with what was sent for the first time, and with its outcome. */
type Journal = {
  sent(message: { readonly seq: number; readonly jts: ReportedDocument }): void;
  settled(seq: number, how: 'acknowledged' | 'refused'): void;
};

export const noCounts = (): ModemCounts => ({
  ...noMessages(),
  connected: 0,
  waiting: 0,
  lost: 0,
  reconnects: 0,
});

const BACKOFF_MS = { first: 1_000, longest: 60_000 };
/** A server that says nothing for this long is taken for lost. */
const ANSWER_LIMIT_MS = 60_000;

/**
 * Runs a modem that keeps docs/modem-protocol.md until its reports are answered or `signal` aborts. Never rejects because of the server.
 */
export async function simulateModem(options: SimulateModemOptions): Promise<ModemCounts> {
  const modem = new SimulatedModem(options);
  const { log, connectAfterMs = 0 } = options;
  const { signal } = modem;
  const measuring = modem.measure();
  await sleep(connectAfterMs, undefined, { signal }).catch(() => {});
  for (let failures = 0; !signal.aborted; ) {
    const wasWelcome = await modem.connectOnce().catch((error: Error) => {
      if (!signal.aborted) log(`no connection: ${error.message}`);
      return false;
    });
    if (signal.aborted) break;
    failures = wasWelcome ? 0 : failures + 1;
    const delayMs = backoffMs(failures, BACKOFF_MS);
    log(`connecting again in ${(delayMs / 1_000).toFixed(1)} s, ${countOf(modem.queued, 'report')} kept`);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
  }
  await measuring;
  modem.close();
  log('stopped');
  return modem.counts;
}

class SimulatedModem {
  readonly counts: ModemCounts;
  /** It is over: by the signal of the options, or because everything is answered. */
  readonly signal: AbortSignal;
  readonly #options: SimulateModemOptions;
  readonly #over = new AbortController();
  readonly #queue: MessageQueue;
  readonly #faults: Faults;
  readonly #seed: number;
  readonly #session = randomUUID();
  readonly #startedMs: number;
  readonly #now: () => number;
  #link: ModemLink | undefined;
  /** Still open, but not read any more. */
  #silent: ModemLink | undefined;
  #silenced = Promise.withResolvers<void>();
  #connections = 0;
  #welcomes = 0;
  #isWelcome = false;
  #isMeasured = false;
  /** The one message that waits for its answer. */
  #inFlight: number | undefined;
  #busyUntilMs = 0;
  #lastStatusMs = Number.NEGATIVE_INFINITY;
  #statusIntervalMs = 600_000;
  #answerTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: SimulateModemOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#queue = new MessageQueue(options.queueLimit ?? 10_000);
    this.#seed = options.seed ?? seedOf(options.deviceKey);
    this.#faults = new Faults(options.faults ?? {}, this.#seed);
    this.counts = options.counts ?? noCounts();
    this.signal = AbortSignal.any([options.signal, this.#over.signal]);
    this.#startedMs = this.#now();
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** Reports at every multiple of the interval, connected or not. */
  async measure(): Promise<void> {
    const { intervalSeconds, finish, messages = Number.POSITIVE_INFINITY, phaseMs = 0 } = this.#options;
    const intervalMs = intervalSeconds * 1_000;
    const latestMs = () => Math.floor((this.#now() - phaseMs) / intervalMs) * intervalMs;
    let timeMs = latestMs();
    const next = this.#options.next ?? readingsOf(this.#seed, () => timeMs);
    const stop = finish ? AbortSignal.any([this.signal, finish]) : this.signal;
    for (let count = 0; count < messages && !stop.aborted; count += 1) {
      const document = await next(this.#faults.clockError());
      if (!document) break;
      this.#report(document);
      // A timer may come a moment early, and must not make a second report of one time.
      timeMs = Math.max(timeMs + intervalMs, latestMs());
      if (count + 1 < messages)
        await sleep(Math.max(0, timeMs + phaseMs - this.#now()), undefined, { signal: stop }).catch(() => {});
    }
    this.#isMeasured = true;
    this.#endWhenAnswered();
  }

  #report(document: ReportedDocument): void {
    const { log } = this.#options;
    const { lost } = this.#queue;
    const { seq } = this.#queue.add(document);
    this.counts.waiting += 1;
    log(`report ${seq}: ${summaryOf(document)}`);
    if (this.#queue.lost > lost) {
      this.counts.waiting -= 1;
      this.counts.lost += 1;
      log('memory is full: the oldest report is lost');
    }
    this.#sendStatusWhenDue();
    this.#sendNext();
  }

  /** Serves a connection from ident to its end. @returns whether the server welcomed it */
  async connectOnce(): Promise<boolean> {
    const { servers, tls = false, deviceKey, secret } = this.#options;
    const server = servers[this.#connections % servers.length] ?? servers[0];
    this.#connections += 1;
    const link = await ModemLink.open(server, tls, this.signal);
    const stop = () => link.close();
    this.signal.addEventListener('abort', stop, { once: true });
    this.#link = link;
    this.#silenced = Promise.withResolvers<void>();
    const before = this.#welcomes;
    try {
      link.send({
        type: 'ident',
        deviceKey,
        ...(secret && { secret }),
        session: this.#session,
        software: { appVersion: '1.0.0', firmwareVersion: '1.0.0', bootloaderVersion: '1.0.0', branch: 'RELEASE' },
      });
      this.#awaitAnswer();
      await Promise.race([this.#read(link, server), this.#silenced.promise]);
    } finally {
      this.signal.removeEventListener('abort', stop);
      clearTimeout(this.#answerTimer);
      clearTimeout(this.#retryTimer);
      if (this.#isWelcome) this.counts.connected -= 1;
      this.#isWelcome = false;
      this.#inFlight = undefined;
      this.#link = undefined;
      if (link !== this.#silent) link.close();
    }
    return this.#welcomes > before;
  }

  close(): void {
    this.#silent?.close();
  }

  async #read(link: ModemLink, server: Address): Promise<void> {
    const { log } = this.#options;
    try {
      for await (const message of link.messages()) if (link === this.#link) this.#receive(message, server);
      log('connection ended');
    } catch (error) {
      if (!this.signal.aborted) log(`connection broke: ${(error as Error).message}`);
    }
  }

  #receive(message: ServerMessage, server: Address): void {
    const { log } = this.#options;
    const text = typeof message.message === 'string' ? `: ${message.message}` : '';
    switch (message.type) {
      case 'welcome':
        this.#welcome(message, server);
        return;
      case 'config':
        log(`configuration ${String(message.revision)} received and taken over`);
        this.#takeOver(message.config);
        this.#link?.send({ type: 'ack', revision: message.revision });
        return;
      case 'ack':
        log(`report ${String(message.seq)} acknowledged`);
        this.#answered(message.seq, 'acknowledged');
        return;
      case 'nack':
        log(`report ${String(message.seq)} refused${text}`);
        this.#answered(message.seq, 'refused');
        return;
      case 'busy':
        log(`report ${String(message.seq)} must wait ${String(message.retryAfterSeconds)} s${text}`);
        if (message.seq === this.#inFlight) this.#wait(Number(message.retryAfterSeconds));
        return;
      case 'error':
        log(`server says ${String(message.code)}${text}`);
        return;
      default:
        return;
    }
  }

  #welcome(message: ServerMessage, { host, port }: Address): void {
    const { log, deviceKey } = this.#options;
    clearTimeout(this.#answerTimer);
    log(`connected to ${host}:${port} as ${deviceKey}`);
    this.#silent?.close();
    this.#silent = undefined;
    this.#isWelcome = true;
    this.#welcomes += 1;
    this.counts.connected += 1;
    if (this.#welcomes > 1) this.counts.reconnects += 1;
    this.#busyUntilMs = 0;
    this.#lastStatusMs = Number.NEGATIVE_INFINITY;
    if (typeof message.ackedSeq === 'number')
      for (const seq of this.#queue.settleUpTo(message.ackedSeq)) this.#settled(seq, 'acknowledged');
    if (typeof message.statusIntervalSeconds === 'number')
      this.#statusIntervalMs = message.statusIntervalSeconds * 1_000;
    this.#sendStatusWhenDue();
    this.#sendNext();
    this.#endWhenAnswered();
  }

  /** A simulated modem uses nothing of its configuration but the status interval. */
  #takeOver(config: unknown): void {
    const schedule = (config as { schedule?: { statusIntervalSeconds?: unknown } } | undefined)?.schedule;
    if (typeof schedule?.statusIntervalSeconds === 'number') {
      this.#statusIntervalMs = schedule.statusIntervalSeconds * 1_000;
    }
  }

  /** A message that was sent twice is answered twice. */
  #answered(seq: unknown, how: 'acknowledged' | 'refused'): void {
    if (typeof seq !== 'number') return;
    if (this.#queue.settle(seq)) this.#settled(seq, how);
    if (seq !== this.#inFlight) return;
    clearTimeout(this.#answerTimer);
    this.#inFlight = undefined;
    this.#sendNext();
    this.#endWhenAnswered();
  }

  #settled(seq: number, how: 'acknowledged' | 'refused'): void {
    this.counts.waiting -= 1;
    this.counts[how] += 1;
    this.#options.journal?.settled(seq, how);
  }

  #endWhenAnswered(): void {
    if (this.#isMeasured && this.#queue.size === 0) this.#over.abort();
  }

  #wait(seconds: number): void {
    clearTimeout(this.#answerTimer);
    clearTimeout(this.#retryTimer);
    const waitMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : 30) * 1_000;
    this.#inFlight = undefined;
    this.#busyUntilMs = this.#now() + waitMs;
    this.#retryTimer = setTimeout(() => {
      // A timer may come a moment before the clock says so, and there is no other one.
      this.#busyUntilMs = 0;
      this.#sendNext();
    }, waitMs);
  }

  /** Stop and wait: the next message goes out when the one before is settled. */
  #sendNext(): void {
    const next = this.#queue.oldest;
    if (!next || !this.#isWelcome || this.#inFlight !== undefined || this.#now() < this.#busyUntilMs) return;
    this.#inFlight = next.seq;
    this.#count(next);
    this.#awaitAnswer();
    this.#send({ type: 'data', seq: next.seq, jts: next.jts });
  }

  #count(message: Queued): void {
    if (message.isSent) {
      this.counts.repeated += 1;
      return;
    }
    message.isSent = true;
    this.counts.sent += 1;
    this.#options.journal?.sent(message);
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    const link = this.#link;
    const fault = this.#faults.next();
    if (fault === 'drop') link?.sendAndCut(message, 1);
    else if (fault === 'partial') link?.sendAndCut(message, 0.5);
    else link?.send(message);
    if (fault === 'duplicate') {
      this.counts.repeated += 1;
      link?.send(message);
    }
    if (fault === 'silence') {
      this.#silent?.close();
      this.#silent = link;
      this.#link = undefined;
      this.#silenced.resolve();
    }
  }

  #sendStatusWhenDue(): void {
    const now = this.#now();
    // Reports are a sign of life too, but the status series want their values.
    if (!this.#isWelcome || now - this.#lastStatusMs < this.#statusIntervalMs) return;
    this.#lastStatusMs = now;
    const { battery } = readingAt(now, 0);
    const uptime = Math.round((now - this.#startedMs) / 1_000);
    this.#link?.send({ type: 'status', time: new Date(now).toISOString(), signal: -71, supply: battery, uptime });
    this.#options.log('status sent');
  }

  #awaitAnswer(): void {
    clearTimeout(this.#answerTimer);
    const link = this.#link;
    this.#answerTimer = setTimeout(() => {
      this.#options.log('no answer in time: connecting again');
      link?.close();
    }, ANSWER_LIMIT_MS);
  }
}

/** Describes the last record of a report, for people. */
function summaryOf({ header, data }: ReportedDocument): string {
  const last = data.at(-1);
  const values = Object.entries(last?.f ?? {}).map(([index, { v }]) => {
    const { name, units } = header.columns[index] ?? {};
    return `${String(name ?? index)} ${String(v)}${units ? ` ${String(units)}` : ''}`;
  });
  return `${last?.ts ?? ''}${data.length > 1 ? `, the last of ${data.length} records` : ''}: ${values.join(', ')}`;
}
