import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Logger } from '@catchment/telemetry';
import { type FtpCommand, parseFtpLine } from '../domain/ftp-command.ts';
import { secured } from './secured.ts';

const LINE_MAX_BYTES = 2 * 1024;
/** Commands that wait while one is worked on; more of them are not read meanwhile. */
const WAITING_MAX = 16;
const UNSENT_MAX_BYTES = 64 * 1024;
export const CLOSING_MS = 2_000;

export type SessionLimits = {
  readonly loginMs: number;
  readonly idleMs: number;
  /** A file that comes pauses for at most this. */
  readonly pauseMs: number;
};

export type FtpHandler = (argument: string) => void | Promise<void>;

/** A session handles its commands by these. */
export type FtpCommands = {
  /** Answers one; the next one waits. */
  handle(command: FtpCommand): Promise<void>;
  /** A file comes: the client may take it back meanwhile. */
  readonly isTransferring: boolean;
  /** The file that comes is to end. */
  abort(reason: string): void;
};

/** A client sends lines over the control connection and gets answers, in clear or in TLS. */
export class FtpControl {
  #socket: Socket;
  readonly #log: Logger;
  readonly #commands: FtpCommands;
  #unread: Buffer = Buffer.alloc(0);
  readonly #waiting: FtpCommand[] = [];
  #isWorking = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #closed = Promise.withResolvers<void>();

  constructor(socket: Socket, log: Logger, commands: FtpCommands) {
    this.#socket = socket;
    this.#log = log;
    this.#commands = commands;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isTls(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  get localAddress(): string {
    return this.#socket.localAddress ?? '';
  }

  /** Resolves when the client has left. Never rejects. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  listen(): void {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.once('close', () => {
      if (socket !== this.#socket) return;
      this.#isOver = true;
      this.#commands.abort('the client has left');
      this.#closed.resolve();
    });
  }

  /** Something must come within this time. */
  expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(421, 'Timeout'), ms);
  }

  expectNothing(): void {
    clearTimeout(this.#timer);
  }

  reply(code: number, text: string, lines: readonly string[] = []): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    // The client reads no answers.
    if (this.#socket.writableLength > UNSENT_MAX_BYTES) {
      this.#socket.destroy();
      return;
    }
    const head = lines.length === 0 ? '' : `${code}-${text}\r\n${lines.map((line) => ` ${line}\r\n`).join('')}`;
    this.#socket.write(`${head}${code} ${lines.length === 0 ? text : 'End'}\r\n`);
  }

  end(code: number, text: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.reply(code, text);
    this.#socket.end();
    const socket = this.#socket;
    setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    this.#commands.abort(text);
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    for (let end = this.#unread.indexOf(10); end >= 0; end = this.#unread.indexOf(10)) {
      if (end > LINE_MAX_BYTES) break;
      const line = this.#unread.subarray(0, this.#unread[end - 1] === 13 ? end - 1 : end);
      this.#unread = this.#unread.subarray(end + 1);
      this.#take(parseFtpLine(line));
    }
    if (this.#unread.length > LINE_MAX_BYTES) this.end(500, 'Line too long');
  }

  #take(command: FtpCommand): void {
    if (command.verb === 'ABOR' && this.#commands.isTransferring) {
      this.#commands.abort('the client has taken it back');
      this.#waiting.push(command);
      return;
    }
    // This command was read in one piece with those before.
    if (this.#waiting.length > 64 * WAITING_MAX) this.end(500, 'Too many commands at once');
    this.#waiting.push(command);
    if (this.#waiting.length > WAITING_MAX) this.#socket.pause();
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let command = this.#waiting.shift(); command && !this.#isOver; command = this.#waiting.shift()) {
      await this.#commands.handle(command).catch((err: unknown) => {
        this.#log.error({ err }, 'FTP command failed');
        this.reply(451, 'Local error: try again later');
      });
      if (this.#waiting.length <= WAITING_MAX) this.#socket.resume();
    }
    this.#isWorking = false;
  }

  /** @param limitMs for the handshake */
  async startTls(secureContext: SecureContext, limitMs: number): Promise<void> {
    const plain = this.#socket;
    // Bytes sent in the clear behind the command do not count as sent in TLS.
    this.#waiting.length = 0;
    this.#unread = Buffer.alloc(0);
    plain.removeAllListeners('data');
    this.reply(234, 'TLS please');
    try {
      this.#socket = await secured(plain, secureContext, limitMs);
    } catch (error) {
      this.#log.debug({ err: error }, 'TLS handshake of FTP failed');
      this.#isOver = true;
      this.#closed.resolve();
      return;
    }
    this.listen();
  }
}
