import { DomainError } from '@catchment/errors';
import { checkNesting } from '@catchment/json-body';
import { type Accepted, pendingCommands, settleCommand } from '../../registry/index.ts';
import { type Line, LineDecoder, type RawLine, readLine } from '../domain/line-decoder.ts';
import {
  endLine,
  idleLimitMs,
  isLineLate,
  MESSAGE_MAX_BYTES,
  ModemDialogue,
  type ModemLine,
  pipeLines,
} from '../domain/modem-dialogue.ts';
import { type ModemMessage, parseIdent, parseModemMessage, seqInHead } from '../domain/modem-message.ts';
import type { Refusal } from '../usecases/identify.ts';
import { settleConfig } from '../usecases/settle-config.ts';
import { DataTaker } from '../usecases/take-data.ts';
import type { PipeCarrier } from './device-pipe.ts';
import { LiveConnection } from './live-connection.ts';

const IDENT_MAX_BYTES = 4 * 1024;
const MAX_UNSENT_BYTES = 256 * 1024;
const ENDS: Readonly<Record<Refusal, string>> = {
  TOO_MANY_FAILURES: 'too many failed identifications from this address',
  RESTARTING: 'the service restarts: connect again',
  BAD_IDENT: 'the first line must be an ident message',
  // Every reason has one text, so that nothing can be found out by trying.
  REFUSED: 'device unknown, not assigned to a source, or wrong secret',
};

/** Serves one modem from its first byte to its last. Messages are worked on one at a time; meanwhile nothing more is read. */
export class ModemConnection extends LiveConnection {
  protected override readonly what = 'modem';
  readonly #decoder = new LineDecoder(IDENT_MAX_BYTES);
  readonly #dialogue = new ModemDialogue();
  #taker: DataTaker | undefined;
  #heldBytes = 0;
  /** The gate is closed while the user of the pipe takes no more. */
  #pipeGate: PromiseWithResolvers<void> | undefined;
  #lineSinceMs = 0;
  #isWorking = false;
  #isReading = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;
  readonly #over = Promise.withResolvers<void>();

  override async run(): Promise<void> {
    const socket = this.socket;
    socket.on('drain', () => this.pipe?.drained());
    socket.on('data', (chunk: Buffer) => void this.#take(chunk));
    socket.on('end', () => this.#ended());
    socket.on('close', () => this.#ended());
    this.#expect(this.deps.identLimitMs);
    if (socket.destroyed) this.#ended();
    await this.#over.promise;
    clearTimeout(this.#timer);
    this.pipe?.disconnected();
    this.deps.admission.hold(this.#heldBytes, 0);
    this.endSocket();
    await this.release();
  }

  override drain(): void {
    super.drain();
    this.isClosing = true;
    if (!this.#isWorking) this.close('RESTARTING', ENDS.RESTARTING);
  }

  override close(code: string, message: string): void {
    this.#end(endLine(code, message));
  }

  #end(line: ModemLine): void {
    this.#send([line]);
    this.isClosing = true;
    this.endSocket();
  }

  override async refresh(): Promise<void> {
    await super.refresh();
    if (!this.accepted || this.isClosing) return;
    this.#send(this.#dialogue.pendingConfig(this.accepted.device));
    await this.#sendPendingCommands();
  }

  async #sendPendingCommands(): Promise<void> {
    const device = this.accepted?.device;
    if (!device) return;
    const { connectionId, deps } = this;
    for (const command of await pendingCommands(deps, { deviceId: device.deviceId, connectionId }))
      this.#send([{ type: 'command', ...command }]);
  }

  protected override carrier(): PipeCarrier {
    this.#send([{ type: 'pipe', state: 'open' }]);
    return {
      send: (bytes) => {
        this.#send(pipeLines(bytes));
        return this.socket.writableLength < MAX_UNSENT_BYTES / 4;
      },
      // Messages are read one at a time; what is not read yet stays with the modem.
      flow: (isWanted) => {
        if (isWanted) this.#openGate();
        else this.#pipeGate ??= Promise.withResolvers<void>();
      },
      released: () => {
        this.#openGate();
        this.#send([{ type: 'pipe', state: 'closed' }]);
      },
    };
  }

  #openGate(): void {
    this.#pipeGate?.resolve();
    this.#pipeGate = undefined;
  }

  /** Works on what came; nothing more is read meanwhile. */
  async #take(chunk: Buffer): Promise<void> {
    this.socket.pause();
    this.#isReading = true;
    try {
      if (!(await this.#read(chunk))) return this.#over.resolve();
    } catch (err) {
      // Modems come and go; what we need to serve them does not.
      const level = err instanceof DomainError ? 'warn' : 'debug';
      this.deps.log[level]({ err, deviceId: this.deviceId }, 'modem connection broke');
      return this.#over.resolve();
    }
    this.#isReading = false;
    if (this.#hasEnded) this.#over.resolve();
    else this.socket.resume();
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
      if (this.isClosing) {
        this.endSocket();
        return false;
      }
      this.#lineSinceMs = this.deps.now();
    }
    return this.#keepPending();
  }

  #keepPending(): boolean {
    const { admission, now } = this.deps;
    const { pendingBytes } = this.#decoder;
    if (!admission.hold(this.#heldBytes, pendingBytes)) {
      this.close('OVERLOADED', 'too much unfinished data of all modems: try again later');
      return false;
    }
    // The first bytes of a message start its clock.
    if (this.#heldBytes === 0) this.#lineSinceMs = now();
    this.#heldBytes = pendingBytes;
    if (pendingBytes > 0 && isLineLate(this.#lineSinceMs, now())) {
      this.close('TOO_SLOW', 'a message must arrive within 15 minutes');
      return false;
    }
    if (this.accepted) this.#expect(idleLimitMs(this.accepted.device));
    return true;
  }

  /** A large message is read when there is room for what is in it; where there is none for long, it is to come again. */
  async #handleInTurn(line: RawLine): Promise<void> {
    const accepted = this.accepted;
    if (!accepted || line.kind === 'bad') return this.#handle(readLine(line));
    const account = accepted.sources[0]?.ownerId ?? '';
    const handled = { isBegun: false };
    try {
      await this.deps.memory.run(account, line.bytes.length, async () => {
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
    if (!this.accepted) return this.#identify(line);
    if (line.kind === 'bad') {
      const rule =
        line.reason === 'TOO_LONG' ? `a message must have at most ${MESSAGE_MAX_BYTES} bytes` : 'must be UTF-8';
      return this.#refuse(seqInHead(line.head), rule);
    }
    await this.#handleMessage(parseModemMessage(line.text));
  }

  async #handleMessage(message: ModemMessage): Promise<void> {
    const accepted = this.accepted;
    const taker = this.#taker;
    if (!accepted || !taker) return;
    const { deviceKey } = accepted.device;
    const { log } = this.deps;
    switch (message.type) {
      case 'data':
        return this.#send([await taker.take(message, accepted.sources)]);
      case 'status':
        return taker.takeStatus(message.status, accepted.sources[0]);
      case 'log':
        log.debug({ deviceKey, modemLevel: message.level, modemMessage: message.message }, 'modem log');
        return taker.takeLog(message, accepted.device.config?.logLevel, accepted.sources[0]);
      case 'pipe':
        this.pipe?.received(message.bytes);
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
    const device = this.accepted?.device;
    if (!device || !this.#dialogue.takesAnswer(revision)) return;
    const { deviceId, deviceKey } = device;
    const failure =
      refusal === undefined ? {} : { failure: `modem ${deviceKey} refused its configuration: ${refusal}` };
    const answer = { deviceId, source: this.accepted?.sources[0], revision, ...failure };
    await settleConfig(this.deps, answer).catch((err: unknown) =>
      this.deps.log.warn({ err, deviceKey }, 'answer to a configuration was not stored'),
    );
  }

  /** A command was done or refused. */
  async #answered({ command, failure }: Extract<ModemMessage, { type: 'answer' }>): Promise<void> {
    const device = this.accepted?.device;
    if (!device) return;
    await settleCommand(this.deps, { device, source: this.accepted?.sources[0], commandId: command, failure }).catch(
      (err: unknown) => this.deps.log.warn({ err, deviceId: device.deviceId }, 'answer to a command was not stored'),
    );
  }

  async #refuse(seq: number | undefined, reason: string): Promise<void> {
    if (seq !== undefined) await this.#taker?.refused(reason, this.accepted?.sources[0]);
    const { line, isLast } = this.#dialogue.refused(seq, reason);
    if (isLast) this.#end(line);
    else this.#send([line]);
  }

  async #identify(line: Line): Promise<void> {
    const ident = line.kind === 'line' ? parseIdent(line.text) : undefined;
    try {
      const result = await this.identify(ident, 'no identification');
      if ('refusal' in result) return this.close(result.refusal, ENDS[result.refusal]);
      this.#welcome(result);
      // The sources may have changed before the connection was registered for notifications.
      await this.refresh();
      this.deps.connected(result);
    } catch (err) {
      this.deps.log.warn({ err, deviceKey: ident?.deviceKey }, 'modem could not be identified');
      this.close('UNAVAILABLE', 'try again later');
    }
  }

  #welcome(accepted: Accepted): void {
    const { device, session, ackedSeq } = accepted;
    const { deviceId, deviceKey } = device;
    this.accepted = accepted;
    this.#taker = new DataTaker(this.deps, { deviceId, deviceKey, session, ackedSeq });
    this.#decoder.maxBytes = MESSAGE_MAX_BYTES;
    this.deps.log.info({ deviceKey, deviceId }, 'modem connected');
    this.#send(this.#dialogue.welcome(device, ackedSeq, this.deps.now()));
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

  #send(lines: Iterable<ModemLine>): void {
    for (const line of lines) {
      if (!this.socket.writable) return;
      this.socket.write(`${JSON.stringify(line)}\n`);
      // A modem that does not read its answers must not fill our memory.
      if (this.socket.writableLength > MAX_UNSENT_BYTES) this.socket.destroy();
    }
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
