import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageQueue } from './message-queue.ts';
import { ModemLink, type ServerMessage } from './modem-link.ts';
import { documentOf, readingAt } from './readings.ts';

export type SimulateModemOptions = {
  readonly host: string;
  readonly port: number;
  /** 15-digit IMEI or 12-digit device number. */
  readonly deviceKey: string;
  readonly secret?: string;
  /** Between two reports. */
  readonly intervalSeconds: number;
  /** Stops the modem; the promise then resolves. */
  readonly signal: AbortSignal;
  /** One line per event. */
  readonly log: (line: string) => void;
  readonly tls?: boolean;
  /** Same seed, same readings; default: the device key. */
  readonly seed?: number;
  /** Reports kept while the server is away; default 10 000. */
  readonly queueLimit?: number;
  readonly now?: () => number;
};

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** A server that says nothing for so long is taken for lost. */
const ANSWER_LIMIT_MS = 60_000;

/** Runs a modem that keeps docs/modem-protocol.md until `signal` aborts. Never rejects because of the server. */
export async function simulateModem(options: SimulateModemOptions): Promise<void> {
  const { signal, log } = options;
  const modem = new SimulatedModem(options);
  const measuring = modem.measure();
  for (let failures = 0; !signal.aborted; ) {
    const wasWelcome = await modem.connectOnce().catch((error: Error) => {
      if (!signal.aborted) log(`no connection: ${error.message}`);
      return false;
    });
    if (signal.aborted) break;
    failures = wasWelcome ? 0 : failures + 1;
    // Full doubling with half of it random, so that modems do not come back all at once.
    const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10));
    const delayMs = Math.round(backoffMs / 2 + (Math.random() * backoffMs) / 2);
    log(`connecting again in ${(delayMs / 1_000).toFixed(1)} s, ${modem.queued} reports kept`);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
  }
  await measuring;
  log('stopped');
}

class SimulatedModem {
  readonly #options: SimulateModemOptions;
  readonly #queue: MessageQueue;
  readonly #session = randomUUID();
  readonly #startedMs: number;
  readonly #now: () => number;
  #link: ModemLink | undefined;
  #isWelcome = false;
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
    this.#startedMs = this.#now();
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** Takes a reading at every multiple of the interval, connected or not. */
  async measure(): Promise<void> {
    const { signal, intervalSeconds, deviceKey, seed = Number(deviceKey.slice(-6)) } = this.#options;
    const intervalMs = intervalSeconds * 1_000;
    while (!signal.aborted) {
      const timeMs = Math.floor(this.#now() / intervalMs) * intervalMs;
      const reading = readingAt(timeMs, seed);
      const lost = this.#queue.lost;
      const { seq } = this.#queue.add(documentOf([reading]));
      this.#options.log(
        `report ${seq}: level ${reading.level} m, battery ${reading.battery} V, temperature ${reading.temperature} °C`,
      );
      if (this.#queue.lost > lost) this.#options.log('memory is full: the oldest report is lost');
      this.#sendStatusWhenDue();
      this.#sendNext();
      await sleep(timeMs + intervalMs - this.#now(), undefined, { signal }).catch(() => {});
    }
  }

  /** One connection from ident to its end. @returns whether the server welcomed it */
  async connectOnce(): Promise<boolean> {
    const { host, port, tls = false, signal, log, deviceKey, secret } = this.#options;
    const link = await ModemLink.open({ host, port, tls }, signal);
    const stop = () => link.close();
    signal.addEventListener('abort', stop, { once: true });
    this.#link = link;
    this.#isWelcome = false;
    let wasWelcome = false;
    try {
      link.send({
        type: 'ident',
        deviceKey,
        ...(secret && { secret }),
        session: this.#session,
        software: { appVersion: '1.0.0', firmwareVersion: '1.0.0', bootloaderVersion: '1.0.0', branch: 'RELEASE' },
      });
      this.#awaitAnswer();
      for await (const message of link.messages()) {
        this.#receive(message);
        wasWelcome ||= this.#isWelcome;
      }
      log('connection ended');
    } catch (error) {
      log(`connection broke: ${(error as Error).message}`);
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(this.#answerTimer);
      clearTimeout(this.#retryTimer);
      this.#isWelcome = false;
      this.#inFlight = undefined;
      link.close();
    }
    return wasWelcome;
  }

  #receive(message: ServerMessage): void {
    const { log } = this.#options;
    const text = typeof message.message === 'string' ? `: ${message.message}` : '';
    switch (message.type) {
      case 'welcome':
        this.#welcome(message);
        return;
      case 'config':
        log(`configuration ${String(message.revision)} received and taken over`);
        this.#takeOver(message.config);
        this.#link?.send({ type: 'ack', revision: message.revision });
        return;
      case 'ack':
        log(`report ${String(message.seq)} acknowledged`);
        this.#settled(message.seq);
        return;
      case 'nack':
        log(`report ${String(message.seq)} refused${text}`);
        this.#settled(message.seq);
        return;
      case 'busy':
        log(`report ${String(message.seq)} must wait ${String(message.retryAfterSeconds)} s${text}`);
        this.#wait(Number(message.retryAfterSeconds));
        return;
      case 'error':
        log(`server says ${String(message.code)}${text}`);
        return;
      default:
        return;
    }
  }

  #welcome(message: ServerMessage): void {
    const { log, deviceKey, host, port } = this.#options;
    clearTimeout(this.#answerTimer);
    log(`connected to ${host}:${port} as ${deviceKey}`);
    this.#isWelcome = true;
    this.#busyUntilMs = 0;
    this.#lastStatusMs = Number.NEGATIVE_INFINITY;
    if (typeof message.ackedSeq === 'number') this.#queue.settleUpTo(message.ackedSeq);
    if (typeof message.statusIntervalSeconds === 'number')
      this.#statusIntervalMs = message.statusIntervalSeconds * 1_000;
    this.#sendStatusWhenDue();
    this.#sendNext();
  }

  /** Of the configuration, a simulated modem has a use for the status interval only. */
  #takeOver(config: unknown): void {
    const schedule = (config as { schedule?: { statusIntervalSeconds?: unknown } } | undefined)?.schedule;
    if (typeof schedule?.statusIntervalSeconds === 'number') {
      this.#statusIntervalMs = schedule.statusIntervalSeconds * 1_000;
    }
  }

  #settled(seq: unknown): void {
    clearTimeout(this.#answerTimer);
    if (typeof seq === 'number') this.#queue.settle(seq);
    this.#inFlight = undefined;
    this.#sendNext();
  }

  #wait(seconds: number): void {
    clearTimeout(this.#answerTimer);
    const waitMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : 30) * 1_000;
    this.#inFlight = undefined;
    this.#busyUntilMs = this.#now() + waitMs;
    this.#retryTimer = setTimeout(() => this.#sendNext(), waitMs);
  }

  /** Stop and wait: the next message goes out when the one before is settled. */
  #sendNext(): void {
    const next = this.#queue.oldest;
    if (!next || !this.#isWelcome || this.#inFlight !== undefined || this.#now() < this.#busyUntilMs) return;
    this.#inFlight = next.seq;
    this.#link?.send({ type: 'data', seq: next.seq, jts: next.jts });
    this.#awaitAnswer();
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
