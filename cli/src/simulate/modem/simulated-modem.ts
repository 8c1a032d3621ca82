import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../options.ts';
import { type FaultRates, Faults } from '../station/faults.ts';
import { type ReportedDocument, seedOf } from '../station/readings.ts';
import { type NextDocument, readingsOf } from '../station/records.ts';
import { MessageQueue, type Queued } from './message-queue.ts';
import { type Journal, type ModemCounts, noCounts } from './modem-counts.ts';
import { ModemLink, type ServerMessage } from './modem-link.ts';
import { ModemStatus } from './modem-status.ts';
import { summaryOf } from './report-text.ts';

export type SimulateModemOptions = {
  /** One installation has these servers: the next one is tried after each connection. */
  readonly servers: readonly [Address, ...Address[]];
  /** The key is a 15-digit IMEI or a 12-digit device number. */
  readonly deviceKey: string;
  readonly secret?: string;
  /** The time between two reports. */
  readonly intervalSeconds: number;
  /** Stops the modem at once; the promise then resolves. */
  readonly signal: AbortSignal;
  /** The modem makes no more reports, and ends when those that it has are answered. */
  readonly finish?: AbortSignal;
  /** One line per event. */
  readonly log: (line: string) => void;
  readonly tls?: boolean;
  /** The same seed gives the same readings and faults; default: the device key. */
  readonly seed?: number;
  /** Reports kept while the server is away; default 10 000. */
  readonly queueLimit?: number;
  /** Replaces the readings of a tank. */
  readonly next?: NextDocument;
  /** The modem ends when this many reports are answered. */
  readonly messages?: number;
  readonly faults?: FaultRates;
  /** Time before the first connection. */
  readonly connectAfterMs?: number;
  /** Every report is this late, so that modems of a fleet do not report all at once. */
  readonly phaseMs?: number;
  /** Counts that several modems may share. */
  readonly counts?: ModemCounts;
  readonly journal?: Journal;
  readonly now?: () => number;
};

/** A server that says nothing for this long is taken for lost. */
const ANSWER_LIMIT_MS = 60_000;

/** A modem measures, connected or not, and has one message at a time under way to the server. */
export class SimulatedModem {
  readonly counts: ModemCounts;
  /** It is over: by the signal of the options, or because everything is answered. */
  readonly signal: AbortSignal;
  readonly #options: SimulateModemOptions;
  readonly #over = new AbortController();
  readonly #queue: MessageQueue;
  readonly #faults: Faults;
  readonly #seed: number;
  readonly #session = randomUUID();
  readonly #status: ModemStatus;
  readonly #now: () => number;
  #link: ModemLink | undefined;
  /** Still open, but not read any more. */
  #silent: ModemLink | undefined;
  #silenced = Promise.withResolvers<void>();
  #connections = 0;
  #welcomes = 0;
  #isWelcome = false;
  #isMeasured = false;
  /** This one message waits for its answer. */
  #inFlight: number | undefined;
  #busyUntilMs = 0;
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
    this.#status = new ModemStatus(this.#now());
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
        this.#status.configured(message.config);
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
    this.#status.welcomed(message.statusIntervalSeconds);
    if (typeof message.ackedSeq === 'number')
      for (const seq of this.#queue.settleUpTo(message.ackedSeq)) this.#settled(seq, 'acknowledged');
    this.#sendStatusWhenDue();
    this.#sendNext();
    this.#endWhenAnswered();
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
    const status = this.#isWelcome ? this.#status.due(this.#now()) : undefined;
    if (!status) return;
    this.#link?.send(status);
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
