import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { DomainError, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { plainAddress } from '../../domain/address-ranges.ts';
import type { Admission } from '../../domain/admission.ts';
import { type ClientView, factLine, fromFtpTime, ftpTime, listLine, type ShownEntry } from '../domain/client-view.ts';
import { activeAddress, extendedAddress, type FtpCommand, parseFtpLine, quoted } from '../domain/ftp-command.ts';
import { absolutePath, baseName } from '../domain/upload-name.ts';
import type { AdmittedUpload, UploadDoor } from '../usecases/admit-upload.ts';
import { type TakeDeps, UploadSession } from '../usecases/take-upload.ts';
import { FtpData, type FtpDataDeps } from './ftp-data.ts';
import type { OneOfEach } from './one-of-each.ts';
import { secured } from './secured.ts';
import { transferOf } from './transfer.ts';

export type FtpDeps = FtpDataDeps & {
  readonly door: UploadDoor;
  readonly take: TakeDeps;
  /** Files that come at a time, by account. */
  readonly transfers: Admission;
  readonly sources: OneOfEach;
  readonly log: Logger;
  readonly limits: SessionLimits;
};

export type SessionLimits = {
  readonly loginMs: number;
  readonly idleMs: number;
  /** Longest pause of a file that comes. */
  readonly pauseMs: number;
};

const LINE_MAX_BYTES = 2 * 1024;
/** Commands that wait while one is worked on; more of them are not read meanwhile. */
const WAITING_MAX = 16;
const UNSENT_MAX_BYTES = 64 * 1024;
const LOGINS_MAX = 3;
const PATH_CHARACTERS = 1_000;
const CLOSING_MS = 2_000;

type Handler = (argument: string) => void | Promise<void>;

/** One FTP client, which may upload files and nothing else (docs/reference/acquisition.md#uploads). */
export class FtpSession {
  readonly #deps: FtpDeps;
  readonly #address: string;
  #socket: Socket;
  #unread: Buffer = Buffer.alloc(0);
  readonly #waiting: FtpCommand[] = [];
  #isWorking = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #gone = new AbortController();
  readonly #closed = Promise.withResolvers<void>();

  #user: string | undefined;
  #logins = 0;
  #admitted: AdmittedUpload<'FtpUpload'> | undefined;
  #uploads: UploadSession | undefined;
  #folder = '/';
  #renamed: string | undefined;
  readonly #data: FtpData;
  /** Of the file that comes. */
  #transfer: AbortController | undefined;
  #lastMs = 0;

  constructor(socket: Socket, deps: FtpDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#address = plainAddress(socket.remoteAddress ?? '');
    this.#data = new FtpData(deps, this.#address, socket instanceof TLSSocket);
  }

  /** Resolves when the client has left and what it uploaded will be read. Never rejects. */
  async run(): Promise<void> {
    this.#expect(this.#deps.limits.loginMs);
    this.#listen();
    this.#reply(220, 'Catchment takes files');
    await this.#closed.promise;
    clearTimeout(this.#timer);
    this.#gone.abort(new DomainError('cancelled', 'CALLER_LEFT', 'the client has left'));
    this.#data.close();
    await this.#uploads?.end();
  }

  /** Ends the session; a file that comes may do so within the time. */
  drain(limitMs: number): void {
    if (!this.#transfer) {
      this.#end(421, 'Stopping: connect again');
      return;
    }
    setTimeout(() => this.#end(421, 'Stopping: connect again'), limitMs).unref();
  }

  /** Another client of the source may have its place: only one that does something keeps it. */
  isQuiet(quietMs: number): boolean {
    return !this.#transfer && this.#deps.take.now() - this.#lastMs >= quietMs;
  }

  replaced(): void {
    this.#end(421, 'Another client of this source has connected');
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.once('close', () => {
      if (socket !== this.#socket) return;
      this.#isOver = true;
      this.#transfer?.abort(new Error('the client has left'));
      this.#closed.resolve();
    });
  }

  #expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(421, 'Timeout'), ms);
  }

  #reply(code: number, text: string, lines: readonly string[] = []): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    // A client that reads no answers.
    if (this.#socket.writableLength > UNSENT_MAX_BYTES) {
      this.#socket.destroy();
      return;
    }
    const head = lines.length === 0 ? '' : `${code}-${text}\r\n${lines.map((line) => ` ${line}\r\n`).join('')}`;
    this.#socket.write(`${head}${code} ${lines.length === 0 ? text : 'End'}\r\n`);
  }

  #end(code: number, text: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reply(code, text);
    this.#socket.end();
    const socket = this.#socket;
    setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    this.#transfer?.abort(new Error(text));
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
    if (this.#unread.length > LINE_MAX_BYTES) this.#end(500, 'Line too long');
  }

  #take(command: FtpCommand): void {
    if (command.verb === 'ABOR' && this.#transfer) {
      this.#transfer.abort(new Error('the client has taken it back'));
      this.#waiting.push(command);
      return;
    }
    // Read in one piece with those before.
    if (this.#waiting.length > 64 * WAITING_MAX) this.#end(500, 'Too many commands at once');
    this.#waiting.push(command);
    if (this.#waiting.length > WAITING_MAX) this.#socket.pause();
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let command = this.#waiting.shift(); command && !this.#isOver; command = this.#waiting.shift()) {
      await this.#handle(command).catch((err: unknown) => {
        this.#deps.log.error({ err }, 'FTP command failed');
        this.#reply(451, 'Local error: try again later');
      });
      if (this.#waiting.length <= WAITING_MAX) this.#socket.resume();
    }
    this.#isWorking = false;
  }

  async #handle({ verb, argument }: FtpCommand): Promise<void> {
    this.#lastMs = this.#deps.take.now();
    if (this.#admitted) this.#expect(this.#deps.limits.idleMs);
    const open = this.#open[verb];
    if (open) return open(argument);
    const handler = this.#loggedIn[verb];
    if (!handler) return this.#reply(502, 'Not implemented');
    if (!this.#admitted) return this.#reply(530, 'Log in first');
    if (verb !== 'RNTO') this.#renamed = undefined;
    await handler(argument);
  }

  /** Before the login, and after it. */
  readonly #open: Readonly<Record<string, Handler>> = {
    USER: (argument) => {
      if (this.#admitted) return this.#reply(503, 'Already logged in');
      this.#user = argument.trim();
      this.#reply(331, 'Password please');
    },
    PASS: (argument) => this.#login(argument),
    AUTH: (argument) => this.#startTls(argument.trim().toUpperCase()),
    PBSZ: () => (this.#isTls ? this.#reply(200, 'PBSZ=0') : this.#reply(503, 'AUTH TLS first')),
    PROT: (argument) => {
      if (!this.#isTls) return this.#reply(503, 'AUTH TLS first');
      const level = argument.trim().toUpperCase();
      if (level !== 'P' && level !== 'C') return this.#reply(536, 'P or C');
      this.#data.isPrivate = level === 'P';
      this.#reply(200, `Protection ${level}`);
    },
    QUIT: () => this.#end(221, 'Bye'),
    NOOP: () => this.#reply(200, 'OK'),
    SYST: () => this.#reply(215, 'UNIX Type: L8'),
    FEAT: () => {
      const tls = this.#deps.secureContext ? ['AUTH TLS', 'PBSZ', 'PROT'] : [];
      this.#reply(211, 'Features', [
        'EPSV',
        'PASV',
        'SIZE',
        'MDTM',
        'MFMT',
        'MLST type*;size*;modify*;',
        'UTF8',
        ...tls,
      ]);
    },
    OPTS: (argument) =>
      /^UTF-?8\b/i.test(argument.trim()) ? this.#reply(200, 'Always UTF-8') : this.#reply(501, 'No such option'),
    HELP: () => this.#reply(214, 'Files are uploaded with STOR'),
    ABOR: () => this.#reply(226, 'Nothing to abort'),
  };

  readonly #loggedIn: Readonly<Record<string, Handler>> = {
    ACCT: () => this.#reply(202, 'Not needed'),
    REIN: () => this.#reply(502, 'Connect again'),
    STAT: () => this.#reply(211, 'Nothing comes'),
    TYPE: (argument) =>
      /^(?:A|A N|I|L 8)$/i.test(argument.trim()) ? this.#reply(200, 'OK') : this.#reply(504, 'A or I'),
    MODE: (argument) => (/^S$/i.test(argument.trim()) ? this.#reply(200, 'OK') : this.#reply(504, 'S only')),
    STRU: (argument) => (/^[FR]$/i.test(argument.trim()) ? this.#reply(200, 'OK') : this.#reply(504, 'F only')),
    ALLO: () => this.#reply(202, 'Not needed'),
    REST: (argument) =>
      argument.trim() === '0' ? this.#reply(350, 'From the beginning') : this.#reply(502, 'Files come whole'),
    // Rights and owners of files mean nothing here.
    SITE: (argument) => this.#reply(/^(?:CHMOD|UTIME) /i.test(argument.trim()) ? 200 : 202, 'Not needed'),
    MFMT: (argument) => this.#setTime(argument),

    PWD: () => this.#reply(257, `${quoted(this.#folder)} is the folder`),
    CWD: (argument) => this.#change(argument),
    CDUP: () => this.#change('..'),
    MKD: (argument) => {
      const path = this.#pathOf(argument);
      if (path.length <= PATH_CHARACTERS) this.#view.makeFolder(path);
      this.#reply(257, `${quoted(path)} made`);
    },
    RMD: (argument) => {
      this.#view.removeFolder(this.#pathOf(argument));
      this.#reply(250, 'OK');
    },
    XPWD: () => this.#loggedIn.PWD?.(''),
    XCWD: (argument) => this.#change(argument),
    XCUP: () => this.#change('..'),
    XMKD: (argument) => this.#loggedIn.MKD?.(argument),
    XRMD: (argument) => this.#loggedIn.RMD?.(argument),

    PASV: () => this.#listenForData('PASV'),
    EPSV: (argument) => (/^(?:ALL)$/i.test(argument.trim()) ? this.#reply(200, 'OK') : this.#listenForData('EPSV')),
    PORT: (argument) => this.#reply(...this.#data.call('PORT', activeAddress(argument))),
    EPRT: (argument) => this.#reply(...this.#data.call('EPRT', extendedAddress(argument))),
    LIST: (argument) => this.#list(argument, (entry) => listLine(entry, this.#deps.take.now())),
    NLST: (argument) => this.#list(argument, ({ name }) => name),
    MLSD: (argument) => this.#list(argument, (entry) => factLine(entry, this.#deps.take.now())),
    MLST: (argument) => {
      const path = this.#pathOf(argument);
      const file = this.#view.file(path);
      if (!file && !this.#view.isFolder(path)) return this.#reply(550, 'No such file');
      this.#reply(250, 'Listing', [factLine({ name: path, ...(file && { file }) }, this.#deps.take.now())]);
    },
    RETR: () => this.#reply(550, 'Files cannot be fetched'),
    DELE: async (argument) => {
      const isThere = await this.#uploads?.remove(this.#pathOf(argument));
      this.#reply(isThere ? 250 : 550, isThere ? 'OK' : 'No such file');
    },
    MDTM: (argument) => {
      // Some clients set a time with it.
      if (/^\d{14}(?:\.\d+)? /.test(argument)) return this.#setTime(argument);
      const file = this.#view.file(this.#pathOf(argument));
      this.#reply(file ? 213 : 550, file ? ftpTime(file.timeMs) : 'No such file');
    },
    SIZE: (argument) => {
      const file = this.#view.file(this.#pathOf(argument));
      this.#reply(file ? 213 : 550, file ? String(file.sizeBytes) : 'No such file');
    },
    STOR: (argument) => this.#store(argument),
    // There is nothing that a file could be appended to.
    APPE: (argument) => this.#store(argument),
    STOU: (argument) => {
      const name = argument.trim() || `upload-${randomUUID()}`;
      return this.#store(name, `FILE: ${name}`);
    },
    RNFR: (argument) => {
      const path = this.#pathOf(argument);
      if (!this.#view.file(path)) return this.#reply(550, 'No such file');
      this.#renamed = path;
      this.#reply(350, 'To what?');
    },
    RNTO: (argument) => this.#rename(argument),
  };

  get #isTls(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  get #view(): ClientView {
    return (this.#uploads as UploadSession).view;
  }

  #pathOf(argument: string): string {
    return absolutePath(this.#folder, argument);
  }

  #change(argument: string): void {
    const path = this.#pathOf(argument);
    const isTooLong = path.length > PATH_CHARACTERS;
    if (!isTooLong) this.#folder = path;
    this.#reply(isTooLong ? 550 : 250, isTooLong ? 'Path too long' : 'OK');
  }

  async #login(password: string): Promise<void> {
    if (this.#admitted) return this.#reply(503, 'Already logged in');
    const key = this.#user;
    if (key === undefined) return this.#reply(503, 'USER first');
    const { door, sources, take, log } = this.#deps;
    try {
      const admitted = await door.admit({ transport: 'FtpUpload', key, password, address: this.#address });
      if (this.#isOver) return;
      if (!(await sources.enter(admitted.source.nodeId, this)))
        return this.#end(421, 'Another client of this source is connected: one at a time');
      this.#closed.promise.then(() => sources.leave(admitted.source.nodeId, this)).catch(() => {});
      if (this.#isOver) return;
      this.#admitted = admitted;
      this.#uploads = new UploadSession(take, admitted.source, 'FtpUpload');
      this.#expect(this.#deps.limits.idleMs);
      this.#reply(230, 'Welcome');
    } catch (error) {
      this.#logins += 1;
      const { kind, message } = toDomainError(error);
      if (kind === 'permission_denied') return this.#end(530, `Not allowed: ${message}`);
      if (kind === 'resource_exhausted') return this.#end(421, message);
      if (kind !== 'not_found' && kind !== 'unauthenticated') {
        log.warn({ err: error }, 'FTP login could not be checked');
        return this.#end(421, 'Not available: try again later');
      }
      if (this.#logins >= LOGINS_MAX) return this.#end(421, 'Too many failed logins');
      this.#reply(530, 'User (the key of a source) or password is wrong');
    }
  }

  async #startTls(how: string): Promise<void> {
    const { secureContext } = this.#deps;
    if (how !== 'TLS' && how !== 'SSL' && how !== 'TLS-C') return this.#reply(504, 'TLS only');
    if (!secureContext) return this.#reply(502, 'Not offered');
    if (this.#isTls) return this.#reply(503, 'TLS already');
    const plain = this.#socket;
    // What was sent in the clear behind the command does not count as sent in TLS.
    this.#waiting.length = 0;
    this.#unread = Buffer.alloc(0);
    plain.removeAllListeners('data');
    this.#reply(234, 'TLS please');
    // The session ends with what carries it.
    this.#user = undefined;
    try {
      this.#socket = await secured(plain, secureContext, this.#deps.limits.loginMs);
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'TLS handshake of FTP failed');
      this.#isOver = true;
      this.#closed.resolve();
      return;
    }
    this.#listen();
  }

  async #listenForData(how: 'PASV' | 'EPSV'): Promise<void> {
    const answer = await this.#data.listen(how, this.#socket.localAddress ?? '');
    if (this.#isOver) this.#data.close();
    this.#reply(...answer);
  }

  /** The data connection; undefined: the client was told why there is none. */
  async #dataConnection(goOn: string): Promise<Socket | undefined> {
    if (!this.#data.isAwaited) {
      this.#reply(425, 'Use PASV or EPSV first');
      return undefined;
    }
    this.#reply(150, goOn);
    try {
      return await this.#data.open(this.#deps.limits.loginMs);
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'data connection of FTP failed');
      this.#reply(425, 'The data connection failed');
      return undefined;
    }
  }

  /** `MFMT YYYYMMDDhhmmss path` */
  #setTime(argument: string): void {
    const [, text = '', name = ''] = /^(\S+) (.+)$/s.exec(argument) ?? [];
    const [path, timeMs] = [this.#pathOf(name), fromFtpTime(text)];
    if (timeMs === undefined) this.#reply(501, 'YYYYMMDDhhmmss and a name');
    else if (!this.#view.file(path)) this.#reply(550, 'No such file');
    else {
      this.#view.setTime(path, timeMs);
      this.#reply(213, `Modify=${text}; ${path}`);
    }
  }

  /** Clients see what they have sent on this connection. */
  async #list(argument: string, line: (entry: ShownEntry) => string): Promise<void> {
    // Options as of `ls`.
    const name = argument.trim().replace(/^(?:-\S*\s*)+/, '');
    const entries = this.#view.list(this.#folder, name);
    if (!entries) return this.#reply(550, 'No such file');
    const socket = await this.#dataConnection('Go on');
    if (!socket) return;
    socket.end(entries.map((entry) => `${line(entry)}\r\n`).join(''));
    socket.resume();
    setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    this.#reply(226, 'Files of this connection');
  }

  async #store(argument: string, goOn = 'Go on'): Promise<void> {
    const path = this.#pathOf(argument);
    const fileName = baseName(path);
    const { source } = this.#admitted as AdmittedUpload<'FtpUpload'>;
    if (fileName === undefined || path.length > PATH_CHARACTERS) return this.#reply(553, 'This is no name of a file');
    const { transfers } = this.#deps;
    if (!transfers.enter(source.ownerId)) return this.#reply(450, 'Too many files come at once: try again later');
    clearTimeout(this.#timer);
    this.#transfer = new AbortController();
    try {
      await this.#receive(path, fileName, goOn);
    } finally {
      this.#transfer = undefined;
      this.#lastMs = this.#deps.take.now();
      transfers.leave(source.ownerId);
      if (!this.#isOver) this.#expect(this.#deps.limits.idleMs);
    }
  }

  async #receive(path: string, fileName: string, goOn: string): Promise<void> {
    const signal = (this.#transfer as AbortController).signal;
    const socket = await this.#dataConnection(goOn);
    if (!socket) return;
    try {
      const bytes = transferOf(socket, { pauseMs: this.#deps.limits.pauseMs, signal });
      await this.#uploads?.take(path, { fileName, bytes }, AbortSignal.any([signal, this.#gone.signal]));
      this.#reply(226, 'Kept');
    } catch (error) {
      this.#refuse(error);
    } finally {
      socket.destroy();
    }
  }

  #refuse(error: unknown): void {
    const { kind, message } = toDomainError(error);
    const { log } = this.#deps;
    if (kind === 'too_large') this.#reply(552, 'Too large: at most 100 MB a file');
    else if (kind === 'resource_exhausted') this.#reply(452, message);
    else if (kind === 'not_found') this.#end(421, 'The source is gone');
    else if (error instanceof DomainError && kind !== 'cancelled') {
      log.warn({ err: error }, 'file by FTP could not be kept');
      this.#reply(451, 'Not available: try again later');
    } else {
      log.debug({ err: error }, 'file by FTP did not arrive');
      this.#reply(426, 'The data connection broke: the file is not kept');
    }
  }

  async #rename(argument: string): Promise<void> {
    const from = this.#renamed;
    this.#renamed = undefined;
    if (from === undefined) return this.#reply(503, 'RNFR first');
    const path = this.#pathOf(argument);
    const fileName = baseName(path);
    if (fileName === undefined || path.length > PATH_CHARACTERS) return this.#reply(553, 'This is no name of a file');
    if (await this.#uploads?.rename(from, { path, fileName })) return this.#reply(250, 'Renamed');
    this.#reply(553, 'The file is being read already');
  }
}
