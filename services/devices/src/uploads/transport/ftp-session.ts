import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { DomainError, toDomainError } from '@catchment/errors';
import { plainAddress } from '../../listening/index.ts';
import { activeAddress, extendedAddress, type FtpCommand } from '../domain/ftp-command.ts';
import { baseName } from '../domain/upload-name.ts';
import type { AdmittedUpload, UploadAdmission } from '../usecases/admit-upload.ts';
import type { OneOfEach } from '../usecases/one-of-each.ts';
import { type TakeDeps, UploadSession } from '../usecases/take-upload.ts';
import { type FtpCommands, FtpControl, type FtpHandler } from './ftp-control.ts';
import { FtpData, type FtpDataDeps } from './ftp-data.ts';
import { FtpFolders, PATH_CHARACTERS } from './ftp-folders.ts';
import { FtpTransfers, type FtpTransfersDeps } from './ftp-transfers.ts';

export type FtpDeps = FtpDataDeps &
  FtpTransfersDeps & {
    readonly uploadAdmission: UploadAdmission;
    readonly take: TakeDeps;
    readonly sources: OneOfEach;
  };

const LOGINS_MAX = 3;

/** Serves one FTP client, which may upload files and nothing else (docs/reference/acquisition.md#uploads). */
export class FtpSession implements FtpCommands {
  readonly #deps: FtpDeps;
  readonly #address: string;
  readonly #control: FtpControl;
  readonly #gone = new AbortController();

  #user: string | undefined;
  #logins = 0;
  #admitted: AdmittedUpload<'FtpUpload'> | undefined;
  #uploads: UploadSession | undefined;
  readonly #folders: FtpFolders;
  #renamed: string | undefined;
  readonly #data: FtpData;
  readonly #transfers: FtpTransfers;
  #lastMs = 0;

  constructor(socket: Socket, deps: FtpDeps) {
    this.#deps = deps;
    this.#address = plainAddress(socket.remoteAddress ?? '');
    this.#control = new FtpControl(socket, deps.log, this);
    this.#data = new FtpData(deps, this.#address, this.#control.isTls);
    this.#transfers = new FtpTransfers(deps, this.#control, this.#data, this.#gone.signal);
    this.#folders = new FtpFolders(this.#control, {
      view: () => (this.#uploads as UploadSession).view,
      connection: () => this.#transfers.connection('Go on'),
      now: deps.take.now,
    });
  }

  /** Resolves when the client has left and what it uploaded will be read. Never rejects. */
  async run(): Promise<void> {
    this.#control.expect(this.#deps.limits.loginMs);
    this.#control.listen();
    this.#reply(220, 'Catchment takes files');
    await this.#control.closed;
    this.#control.expectNothing();
    this.#gone.abort(new DomainError('cancelled', 'CALLER_LEFT', 'the client has left'));
    this.#data.close();
    await this.#uploads?.end();
  }

  /** Ends the session; a file that comes may do so within the time. */
  drain(limitMs: number): void {
    if (!this.isTransferring) {
      this.#end(421, 'Stopping: connect again');
      return;
    }
    setTimeout(() => this.#end(421, 'Stopping: connect again'), limitMs).unref();
  }

  /** Another client of the source may have its place: only one that does something keeps it. */
  isQuiet(quietMs: number): boolean {
    return !this.isTransferring && this.#deps.take.now() - this.#lastMs >= quietMs;
  }

  replaced(): void {
    this.#end(421, 'Another client of this source has connected');
  }

  get isTransferring(): boolean {
    return this.#transfers.isRunning;
  }

  abort(reason: string): void {
    this.#transfers.abort(reason);
  }

  #reply(code: number, text: string, lines: readonly string[] = []): void {
    this.#control.reply(code, text, lines);
  }

  #end(code: number, text: string): void {
    this.#control.end(code, text);
  }

  async handle({ verb, argument }: FtpCommand): Promise<void> {
    this.#lastMs = this.#deps.take.now();
    if (this.#admitted) this.#control.expect(this.#deps.limits.idleMs);
    const open = this.#open[verb];
    if (open) return open(argument);
    const handler = this.#loggedIn[verb] ?? this.#folders.commands[verb];
    if (!handler) return this.#reply(502, 'Not implemented');
    if (!this.#admitted) return this.#reply(530, 'Log in first');
    if (verb !== 'RNTO') this.#renamed = undefined;
    await handler(argument);
  }

  /** These commands work before the login and after it. */
  readonly #open: Readonly<Record<string, FtpHandler>> = {
    USER: (argument) => {
      if (this.#admitted) return this.#reply(503, 'Already logged in');
      this.#user = argument.trim();
      this.#reply(331, 'Password please');
    },
    PASS: (argument) => this.#login(argument),
    AUTH: (argument) => this.#startTls(argument.trim().toUpperCase()),
    PBSZ: () => (this.#control.isTls ? this.#reply(200, 'PBSZ=0') : this.#reply(503, 'AUTH TLS first')),
    PROT: (argument) => {
      if (!this.#control.isTls) return this.#reply(503, 'AUTH TLS first');
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

  readonly #loggedIn: Readonly<Record<string, FtpHandler>> = {
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

    PASV: () => this.#listenForData('PASV'),
    EPSV: (argument) => (/^(?:ALL)$/i.test(argument.trim()) ? this.#reply(200, 'OK') : this.#listenForData('EPSV')),
    PORT: (argument) => this.#reply(...this.#data.call('PORT', activeAddress(argument))),
    EPRT: (argument) => this.#reply(...this.#data.call('EPRT', extendedAddress(argument))),
    RETR: () => this.#reply(550, 'Files cannot be fetched'),
    DELE: async (argument) => {
      const isThere = await this.#uploads?.remove(this.#folders.pathOf(argument));
      this.#reply(isThere ? 250 : 550, isThere ? 'OK' : 'No such file');
    },
    STOR: (argument) => this.#store(argument),
    // There is nothing that a file could be appended to.
    APPE: (argument) => this.#store(argument),
    STOU: (argument) => {
      const name = argument.trim() || `upload-${randomUUID()}`;
      return this.#store(name, `FILE: ${name}`);
    },
    RNFR: (argument) => {
      const path = this.#folders.pathOf(argument);
      if (!this.#folders.view.file(path)) return this.#reply(550, 'No such file');
      this.#renamed = path;
      this.#reply(350, 'To what?');
    },
    RNTO: (argument) => this.#rename(argument),
  };

  async #login(password: string): Promise<void> {
    if (this.#admitted) return this.#reply(503, 'Already logged in');
    const key = this.#user;
    if (key === undefined) return this.#reply(503, 'USER first');
    const { uploadAdmission, sources, take, log } = this.#deps;
    try {
      const admitted = await uploadAdmission.admit({ transport: 'FtpUpload', key, password, address: this.#address });
      if (this.#control.isOver) return;
      if (!(await sources.enter(admitted.source.nodeId, this)))
        return this.#end(421, 'Another client of this source is connected: one at a time');
      this.#control.closed.then(() => sources.leave(admitted.source.nodeId, this)).catch(() => {});
      if (this.#control.isOver) return;
      this.#admitted = admitted;
      this.#uploads = new UploadSession(take, admitted.source, 'FtpUpload');
      this.#control.expect(this.#deps.limits.idleMs);
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
    const { secureContext, limits } = this.#deps;
    if (how !== 'TLS' && how !== 'SSL' && how !== 'TLS-C') return this.#reply(504, 'TLS only');
    if (!secureContext) return this.#reply(502, 'Not offered');
    if (this.#control.isTls) return this.#reply(503, 'TLS already');
    // The session ends with what carries it.
    this.#user = undefined;
    await this.#control.startTls(secureContext, limits.loginMs);
  }

  async #listenForData(how: 'PASV' | 'EPSV'): Promise<void> {
    const answer = await this.#data.listen(how, this.#control.localAddress);
    if (this.#control.isOver) this.#data.close();
    this.#reply(...answer);
  }

  async #store(argument: string, goOn = 'Go on'): Promise<void> {
    const path = this.#folders.pathOf(argument);
    const fileName = baseName(path);
    const { source } = this.#admitted as AdmittedUpload<'FtpUpload'>;
    if (fileName === undefined || path.length > PATH_CHARACTERS) return this.#reply(553, 'This is no name of a file');
    const uploads = this.#uploads as UploadSession;
    await this.#transfers.store({ ownerId: source.ownerId, uploads }, { path, fileName, goOn }, () => {
      this.#lastMs = this.#deps.take.now();
    });
  }

  async #rename(argument: string): Promise<void> {
    const from = this.#renamed;
    this.#renamed = undefined;
    if (from === undefined) return this.#reply(503, 'RNFR first');
    const path = this.#folders.pathOf(argument);
    const fileName = baseName(path);
    if (fileName === undefined || path.length > PATH_CHARACTERS) return this.#reply(553, 'This is no name of a file');
    if (await this.#uploads?.rename(from, { path, fileName })) return this.#reply(250, 'Renamed');
    this.#reply(553, 'The file is being read already');
  }
}
