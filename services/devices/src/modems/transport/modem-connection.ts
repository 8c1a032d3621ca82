import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';
import { checkNesting } from '@catchment/json-body';
import { formatIsoMs } from '@catchment/time';
import type { Admission, FailedIdents, MessageMemory } from '../../listening/index.ts';
import {
  type Accepted,
  acceptModem,
  commandMessage,
  type ModemDeps,
  type ScoutConfig,
  settleCommand,
  standingOf,
} from '../../registry/index.ts';
import { type Line, LineDecoder, type RawLine, readLine } from '../domain/line-decoder.ts';
import { type ModemMessage, parseIdent, parseModemMessage, seqInHead } from '../domain/modem-message.ts';
import { settleConfig } from '../usecases/settle-config.ts';
import { type DataDeps, DataTaker } from '../usecases/take-data.ts';
import { DevicePipe } from './device-pipe.ts';
import type { LiveConnection } from './live-connection.ts';

export type ConnectionDeps = ModemDeps &
  DataDeps & {
    readonly admission: Admission;
    readonly failedIdents: FailedIdents;
    /** Memory for all messages that are being read. */
    readonly memory: MessageMemory;
    /** No refusal of a key or secret comes sooner. */
    readonly refusalMs: number;
    /** Time for the identification, docs/reference/devices.md#connections. */
    readonly identLimitMs: number;
    /** A device has connected, and is registered. */
    readonly connected: (accepted: Pick<Accepted, 'device' | 'sources'>) => void;
    /** A connection has ended; resolves once that is recorded. */
    readonly release: (ended: { readonly deviceId: string; readonly connectionId: string }) => Promise<void>;
    /** Something about devices was changed by any process. */
    readonly changed: () => void;
  };

const IDENT_MAX_BYTES = 4 * 1024;
/** This is the size of a body of 5 MiB and its envelope. */
const MESSAGE_MAX_BYTES = 5 * 1024 * 1024 + 64 * 1024;
/** A slow mobile network takes this long for 5 MiB. */
const LINE_LIMIT_MS = 15 * 60_000;
const DEFAULT_STATUS_SECONDS = 600;
const MISSED_STATUSES = 3;
const SHORTEST_IDLE_MS = 10_000;
const MAX_UNSENT_BYTES = 256 * 1024;
const MAX_BAD_MESSAGES = 10;
const CLOSING_MS = 1_000;
/** Bytes of the pipe that one message carries. */
const PIPE_BYTES = 16 * 1024;
const RESTARTING = ['RESTARTING', 'the service restarts: connect again'] as const;
const TOO_MANY_FAILURES = ['TOO_MANY_FAILURES', 'too many failed identifications from this address'] as const;
/** One text for every reason, so that nothing can be found out by trying. */
const REFUSED = 'device unknown, not assigned to a source, or wrong secret';

/** Serves one modem from its first byte to its last. Messages are worked on one at a time; meanwhile nothing more is read. */
export class ModemConnection implements LiveConnection {
  readonly connectionId: string;
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #decoder = new LineDecoder(IDENT_MAX_BYTES);
  #accepted: Accepted | undefined;
  #taker: DataTaker | undefined;
  #sentRevision = 0;
  #answeredRevision = 0;
  #badMessages = 0;
  #heldBytes = 0;
  #pipe: DevicePipe | undefined;
  /** Closed while the user of the pipe takes no more. */
  #pipeGate: PromiseWithResolvers<void> | undefined;
  #lineSinceMs = 0;
  #isWorking = false;
  #isReading = false;
  #hasEnded = false;
  #isClosing = false;
  /** Ends the wait for the turn of an identification. */
  readonly #draining = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;
  readonly #over = Promise.withResolvers<void>();

  constructor(socket: Socket, connectionId: string, deps: ConnectionDeps) {
    this.#socket = socket;
    this.connectionId = connectionId;
    this.#deps = deps;
  }

  get deviceId(): string | undefined {
    return this.#accepted?.device.deviceId;
  }

  get sourceIds(): readonly string[] {
    return this.#accepted?.sources.map(({ sourceId }) => sourceId) ?? [];
  }

  async run(): Promise<void> {
    const socket = this.#socket;
    socket.on('drain', () => this.#pipe?.drained());
    socket.on('data', (chunk: Buffer) => void this.#take(chunk));
    socket.on('end', () => this.#ended());
    socket.on('close', () => this.#ended());
    this.#expect(this.#deps.identLimitMs);
    if (socket.destroyed) this.#ended();
    await this.#over.promise;
    clearTimeout(this.#timer);
    this.#pipe?.disconnected();
    this.#deps.admission.hold(this.#heldBytes, 0);
    this.#endSocket();
    await this.#release();
  }

  drain(): void {
    this.#isClosing = true;
    this.#draining.abort();
    if (!this.#isWorking) this.close(...RESTARTING);
  }

  close(code: string, message: string): void {
    this.#send({ type: 'error', code, message });
    this.#isClosing = true;
    this.#endSocket();
  }

  /** Is this still the connection of the device, has it a source, is there configuration? */
  async refresh(): Promise<void> {
    const accepted = this.#accepted;
    if (!accepted || this.#isClosing) return;
    const standing = await standingOf(this.#deps, accepted, this.connectionId);
    if (standing === 'REPLACED') return this.close(standing, 'another connection of this device took over');
    if (standing === 'UNASSIGNED') return this.close(standing, 'the device is not assigned to a source');
    this.#accepted = { ...accepted, ...standing };
    this.#sendPendingConfig();
    await this.#sendPendingCommands();
  }

  async #sendPendingCommands(): Promise<void> {
    const device = this.#accepted?.device;
    if (!device) return;
    const { store, now } = this.#deps;
    for (const command of await store.takeCommands(device.deviceId, this.connectionId, now()))
      this.#send({ type: 'command', ...commandMessage(command, now()) });
  }

  openPipe(): DevicePipe | undefined {
    if (!this.#accepted || this.#pipe || this.#isClosing || !this.#socket.writable) return undefined;
    this.#send({ type: 'pipe', state: 'open' });
    const pipe = new DevicePipe({
      send: (bytes) => this.#sendThrough(bytes),
      // Messages are read one at a time; what is not read yet stays with the modem.
      flow: (isWanted) => {
        if (isWanted) this.#openGate();
        else this.#pipeGate ??= Promise.withResolvers<void>();
      },
      released: () => {
        this.#pipe = undefined;
        this.#openGate();
        this.#send({ type: 'pipe', state: 'closed' });
      },
    });
    this.#pipe = pipe;
    return pipe;
  }

  #openGate(): void {
    this.#pipeGate?.resolve();
    this.#pipeGate = undefined;
  }

  #sendThrough(bytes: Uint8Array): boolean {
    for (let from = 0; from < bytes.length; from += PIPE_BYTES)
      this.#send({ type: 'pipe', data: Buffer.from(bytes.subarray(from, from + PIPE_BYTES)).toString('base64') });
    return this.#socket.writableLength < MAX_UNSENT_BYTES / 4;
  }

  /** Works on what came; nothing more is read meanwhile. */
  async #take(chunk: Buffer): Promise<void> {
    this.#socket.pause();
    this.#isReading = true;
    try {
      if (!(await this.#read(chunk))) return this.#over.resolve();
    } catch (err) {
      // Modems come and go; what we need to serve them does not.
      const level = err instanceof DomainError ? 'warn' : 'debug';
      this.#deps.log[level]({ err, deviceId: this.deviceId }, 'modem connection broke');
      return this.#over.resolve();
    }
    this.#isReading = false;
    if (this.#hasEnded) this.#over.resolve();
    else this.#socket.resume();
  }

  /** The modem sends nothing more. Messages that have come are still worked on, and are answered if the modem has ended its own side alone. */
  #ended(): void {
    this.#hasEnded = true;
    this.#openGate();
    if (!this.#isReading) this.#over.resolve();
  }

  /** @returns false when the connection is over */
  async #read(chunk: Buffer): Promise<boolean> {
    for (const line of this.#decoder.push(chunk)) {
      this.#isWorking = true;
      await this.#handleInTurn(line);
      this.#isWorking = false;
      if (this.#isClosing) {
        this.#endSocket();
        return false;
      }
      this.#lineSinceMs = this.#deps.now();
    }
    return this.#keepPending();
  }

  #keepPending(): boolean {
    const { admission, now } = this.#deps;
    const { pendingBytes } = this.#decoder;
    if (!admission.hold(this.#heldBytes, pendingBytes)) {
      this.close('OVERLOADED', 'too much unfinished data of all modems: try again later');
      return false;
    }
    // The first bytes of a message start its clock.
    if (this.#heldBytes === 0) this.#lineSinceMs = now();
    this.#heldBytes = pendingBytes;
    if (pendingBytes > 0 && now() - this.#lineSinceMs > LINE_LIMIT_MS) {
      this.close('TOO_SLOW', 'a message must arrive within 15 minutes');
      return false;
    }
    if (this.#accepted) this.#expect(this.#idleLimitMs);
    return true;
  }

  /** A large message is read when there is room for what is in it; where there is none for long, it is to come again. */
  async #handleInTurn(line: RawLine): Promise<void> {
    const accepted = this.#accepted;
    if (!accepted || line.kind === 'bad') return this.#handle(readLine(line));
    const account = accepted.sources[0]?.ownerId ?? '';
    const handled = { isBegun: false };
    try {
      await this.#deps.memory.run(account, line.bytes.length, async () => {
        handled.isBegun = true;
        const problem = tooNested(line.bytes);
        if (problem === undefined) await this.#handle(readLine(line));
        else await this.#refuse(seqInHead(line.bytes.toString('latin1', 0, 256)), problem);
      });
    } catch (error) {
      if (handled.isBegun) throw error;
      this.close('OVERLOADED', 'too many large messages of all modems: try again later');
    }
  }

  async #handle(line: Line): Promise<void> {
    if (!this.#accepted) return this.#identify(line);
    if (line.kind === 'bad') {
      const rule =
        line.reason === 'TOO_LONG' ? `a message must have at most ${MESSAGE_MAX_BYTES} bytes` : 'must be UTF-8';
      return this.#refuse(seqInHead(line.head), rule);
    }
    await this.#handleMessage(parseModemMessage(line.text));
  }

  async #handleMessage(message: ModemMessage): Promise<void> {
    const accepted = this.#accepted;
    const taker = this.#taker;
    if (!accepted || !taker) return;
    const { deviceKey } = accepted.device;
    const { log } = this.#deps;
    switch (message.type) {
      case 'data':
        return this.#send(await taker.take(message, accepted.sources));
      case 'status':
        return taker.takeStatus(message.status, accepted.sources[0]);
      case 'log':
        log.debug({ deviceKey, modemLevel: message.level, modemMessage: message.message }, 'modem log');
        return taker.takeLog(message, accepted.device.config?.logLevel, accepted.sources[0]);
      case 'pipe':
        this.#pipe?.received(message.bytes);
        await this.#pipeGate?.promise;
        return;
      case 'answer':
        return this.#answered(message);
      case 'ack':
        return this.#configAnswered(message.revision);
      case 'nack':
        return this.#configAnswered(message.revision, message.message || 'no reason given');
      case 'bad':
        return this.#refuse(message.seq, message.message);
    }
  }

  /** The configuration is in use, or was refused; the first answer counts. */
  async #configAnswered(revision: number, refusal?: string): Promise<void> {
    const device = this.#accepted?.device;
    if (!device || revision !== this.#sentRevision || revision === this.#answeredRevision) return;
    this.#answeredRevision = revision;
    const { deviceId, deviceKey } = device;
    const failure =
      refusal === undefined ? {} : { failure: `modem ${deviceKey} refused its configuration: ${refusal}` };
    const answer = { deviceId, source: this.#accepted?.sources[0], revision, ...failure };
    await settleConfig(this.#deps, answer).catch((err: unknown) =>
      this.#deps.log.warn({ err, deviceKey }, 'answer to a configuration was not stored'),
    );
  }

  /** A command was done or refused. */
  async #answered({ command, failure }: Extract<ModemMessage, { type: 'answer' }>): Promise<void> {
    const device = this.#accepted?.device;
    if (!device) return;
    await settleCommand(this.#deps, { device, source: this.#accepted?.sources[0], commandId: command, failure }).catch(
      (err: unknown) => this.#deps.log.warn({ err, deviceId: device.deviceId }, 'answer to a command was not stored'),
    );
  }

  async #refuse(seq: number | undefined, reason: string): Promise<void> {
    if (seq !== undefined) {
      await this.#taker?.refused(reason, this.#accepted?.sources[0]);
      return this.#send({ type: 'nack', seq, message: reason });
    }
    this.#badMessages += 1;
    if (this.#badMessages >= MAX_BAD_MESSAGES) return this.close('BAD_MESSAGE', `${reason}: too often`);
    this.#send({ type: 'error', code: 'BAD_MESSAGE', message: reason });
  }

  async #identify(line: Line): Promise<void> {
    const { failedIdents, log, refusalMs } = this.#deps;
    const address = this.#socket.remoteAddress ?? '';
    const ident = line.kind === 'line' ? parseIdent(line.text) : undefined;
    const waitMs = failedIdents.delayMs(address, ident);
    if (waitMs === undefined) {
      log.warn({ address }, 'modem refused: too many failures, not checked');
      return this.close(...TOO_MANY_FAILURES);
    }
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#draining.signal }).catch(() => {});
    if (this.#isClosing) return this.close(...RESTARTING);
    if (!ident) {
      log.warn({ address }, 'modem refused: no identification');
      return this.#fail(address, ['BAD_IDENT', 'the first line must be an ident message']);
    }
    // Every refusal takes the same time, whatever the load.
    const soonest = sleep(refusalMs);
    try {
      const result = await acceptModem(this.#deps, ident, { connectionId: this.connectionId, address });
      if ('refused' in result) {
        await soonest;
        log.warn({ address, deviceKey: ident.deviceKey, reason: result.refused }, 'modem refused');
        return this.#fail(address, ['REFUSED', REFUSED]);
      }
      failedIdents.succeeded(address, ident);
      this.#welcome(result);
      // The sources may have changed before the connection was registered for notifications.
      await this.refresh();
      this.#deps.connected(result);
    } catch (err) {
      log.warn({ err, deviceKey: ident.deviceKey }, 'modem could not be identified');
      this.close('UNAVAILABLE', 'try again later');
    }
  }

  #fail(address: string, answer: readonly [code: string, message: string]): void {
    this.close(...(this.#deps.failedIdents.failed(address) ? TOO_MANY_FAILURES : answer));
  }

  #welcome(accepted: Accepted): void {
    const { device, session, ackedSeq } = accepted;
    this.#accepted = accepted;
    this.#taker = new DataTaker(this.#deps, {
      deviceId: device.deviceId,
      deviceKey: device.deviceKey,
      session,
      ackedSeq,
    });
    this.#decoder.maxBytes = MESSAGE_MAX_BYTES;
    this.#deps.log.info({ deviceKey: device.deviceKey, deviceId: device.deviceId }, 'modem connected');
    this.#send({
      type: 'welcome',
      time: formatIsoMs(this.#deps.now()),
      ackedSeq,
      statusIntervalSeconds: this.#statusSeconds,
      maxMessageBytes: MESSAGE_MAX_BYTES,
    });
    this.#sendPendingConfig();
  }

  #sendPendingConfig(): void {
    const device = this.#accepted?.device;
    if (!device?.config || device.confirmedRevision >= device.configRevision) return;
    if (this.#sentRevision === device.configRevision) return;
    this.#sentRevision = device.configRevision;
    this.#send({ type: 'config', revision: device.configRevision, config: device.config satisfies ScoutConfig });
  }

  get #statusSeconds(): number {
    return this.#accepted?.device.config?.schedule.statusIntervalSeconds ?? DEFAULT_STATUS_SECONDS;
  }

  get #idleLimitMs(): number {
    return Math.max(SHORTEST_IDLE_MS, MISSED_STATUSES * this.#statusSeconds * 1_000);
  }

  /** Something must come within this time, unless something is worked on. */
  #expect(limitMs: number): void {
    if (this.#timer && limitMs === this.#timerMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#timerMs = limitMs;
    this.#timer = setTimeout(() => {
      if (this.#isWorking) this.#timer?.refresh();
      else this.close('TIMEOUT', 'nothing came in time');
    }, limitMs);
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    if (!this.#socket.writable) return;
    this.#socket.write(`${JSON.stringify(message)}\n`);
    // A modem that does not read its answers must not fill our memory.
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.#socket.destroy();
  }

  #endSocket(): void {
    if (this.#socket.destroyed) return;
    if (!this.#socket.writableEnded) this.#socket.end();
    // A peer that never closes its side does not keep the connection.
    setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
  }

  async #release(): Promise<void> {
    const { deviceId } = this;
    if (deviceId === undefined) return;
    const { log } = this.#deps;
    log.info({ deviceId, deviceKey: this.#accepted?.device.deviceKey }, 'modem disconnected');
    // The next sweep removes the connection if this fails.
    await this.#deps
      .release({ deviceId, connectionId: this.connectionId })
      .catch((err: unknown) => log.warn({ err, deviceId }, 'end of a connection not recorded yet'));
  }
}

/** Returns what is wrong with a message that would take many times its bytes. */
function tooNested(bytes: Uint8Array): string | undefined {
  try {
    checkNesting(bytes);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^body: /, 'jts: ');
  }
}
