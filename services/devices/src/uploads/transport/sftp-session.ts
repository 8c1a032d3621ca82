import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { DomainError, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import ssh2 from 'ssh2';
import { plainAddress } from '../../domain/address-ranges.ts';
import type { Admission } from '../../domain/admission.ts';
import { absolutePath, baseName } from '../domain/upload-name.ts';
import type { AdmittedUpload, UploadDoor } from '../usecases/admit-upload.ts';
import { type TakeDeps, UploadSession } from '../usecases/take-upload.ts';
import type { SessionLimits } from './ftp-session.ts';
import type { OneOfEach } from './one-of-each.ts';

export type SftpDeps = {
  readonly door: UploadDoor;
  readonly take: TakeDeps;
  /** Files that come at a time, by account. */
  readonly transfers: Admission;
  readonly sources: OneOfEach;
  readonly log: Logger;
  readonly limits: SessionLimits;
};

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const LOGINS_MAX = 3;
const PATH_CHARACTERS = 1_000;
/** Of a file, not yet stored: beyond it nothing is read from the client. */
const WAITING_BYTES = 512 * 1024;
/** Some clients send parts before those in front of them. */
const EARLY_BYTES = 4 * 1024 * 1024;
const CLOSING_MS = 2_000;
const FOLDER_MODE = 0o040755;
const FILE_MODE = 0o100644;

/** A file that comes. */
type Coming = {
  readonly handle: Buffer;
  readonly bytes: PassThrough;
  readonly taken: Promise<void>;
  size: number;
  timer: NodeJS.Timeout | undefined;
  /** Parts behind a gap, by their offsets. */
  readonly early: Map<number, Buffer>;
  earlyBytes: number;
};

type Sftp = ssh2.SFTPWrapper;

/** One SFTP client, which may upload files and nothing else (docs/reference/acquisition.md#uploads). */
export class SftpSession {
  readonly #deps: SftpDeps;
  readonly #client: ssh2.Connection;
  readonly #socket: Socket;
  readonly #address: string;
  readonly #gone = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #logins = 0;
  #handles = 0;
  #hasSubsystem = false;
  #admitted: AdmittedUpload<'SftpUpload'> | undefined;
  #uploads: UploadSession | undefined;
  #coming: Coming | undefined;
  #waitingBytes = 0;
  #lastMs = 0;

  constructor(client: ssh2.Connection, socket: Socket, deps: SftpDeps) {
    this.#client = client;
    this.#socket = socket;
    this.#deps = deps;
    this.#address = plainAddress(socket.remoteAddress ?? '');
  }

  /** Resolves when the client has left and what it uploaded will be read. Never rejects. */
  async run(): Promise<void> {
    this.#expect(this.#deps.limits.loginMs);
    const client = this.#client;
    client.on('error', (err) => this.#deps.log.debug({ err }, 'SFTP connection failed'));
    client.on('authentication', (context) => {
      this.#authenticate(context).catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'SFTP login could not be checked');
        this.#end();
      });
    });
    client.on('session', (accept, reject) => {
      // One channel is enough to upload, and each holds memory.
      if (this.#hasSubsystem) return reject?.();
      const session = accept();
      session.on('sftp', (open, refuse) => {
        if (this.#hasSubsystem) return refuse();
        this.#hasSubsystem = true;
        this.#serve(open());
      });
    });
    this.#socket.once('close', () => this.#closed.resolve());
    await this.#closed.promise;
    clearTimeout(this.#timer);
    const left = new DomainError('cancelled', 'CALLER_LEFT', 'the client has left');
    this.#gone.abort(left);
    this.#coming?.bytes.destroy(left);
    await this.#coming?.taken.catch(() => {});
    await this.#uploads?.end();
  }

  /** Ends the session; a file that comes may do so within the time. */
  drain(limitMs: number): void {
    if (this.#coming) setTimeout(() => this.#end(), limitMs).unref();
    else this.#end();
  }

  isQuiet(quietMs: number): boolean {
    return !this.#coming && this.#deps.take.now() - this.#lastMs >= quietMs;
  }

  replaced(): void {
    this.#end();
  }

  #end(): void {
    this.#client.end();
    setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
  }

  #expect(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), ms);
  }

  async #authenticate(context: ssh2.AuthContext): Promise<void> {
    if (context.method !== 'password') return context.reject(['password']);
    const { door, sources, log } = this.#deps;
    const { username: key, password } = context;
    try {
      const admitted = await door.admit({ transport: 'SftpUpload', key, password, address: this.#address });
      if (this.#socket.destroyed || this.#admitted) return;
      if (!(await sources.enter(admitted.source.nodeId, this))) {
        log.info({ sourceId: admitted.source.nodeId }, 'SFTP client refused: another one of the source is connected');
        return this.#end();
      }
      this.#closed.promise.then(() => sources.leave(admitted.source.nodeId, this)).catch(() => {});
      if (this.#socket.destroyed) return;
      this.#admitted = admitted;
      this.#uploads = new UploadSession(this.#deps.take, admitted.source, 'SftpUpload');
      this.#active();
      context.accept();
    } catch (error) {
      this.#logins += 1;
      const { kind } = toDomainError(error);
      if (kind !== 'not_found' && kind !== 'unauthenticated') {
        if (kind !== 'permission_denied' && kind !== 'resource_exhausted')
          log.warn({ err: error }, 'SFTP login could not be checked');
        return this.#end();
      }
      context.reject(['password']);
      if (this.#logins >= LOGINS_MAX) this.#end();
    }
  }

  #active(): void {
    this.#lastMs = this.#deps.take.now();
    this.#expect(this.#deps.limits.idleMs);
  }

  #serve(sftp: Sftp): void {
    const status = (id: number, code: number, message?: string) => sftp.status(id, code, message);
    const answered = (id: number, work: Promise<void>) =>
      work.then(
        () => status(id, STATUS_CODE.OK),
        (error: unknown) => status(id, STATUS_CODE.FAILURE, this.#reasonOf(error)),
      );
    const absent = (id: number) => status(id, STATUS_CODE.NO_SUCH_FILE);
    const fine = (id: number) => status(id, STATUS_CODE.OK);
    const folders = new Set<string>();
    const statOf = (id: number, path: string) => {
      this.#active();
      const at = absolutePath('/', path);
      const size = this.#uploads?.sizeOf(at);
      if (size !== undefined) return sftp.attrs(id, attributes(FILE_MODE, size));
      if (at === '/' || folders.has(at)) return sftp.attrs(id, attributes(FOLDER_MODE, 0));
      absent(id);
    };
    sftp.on('error', (err: unknown) => this.#deps.log.debug({ err }, 'SFTP request could not be read'));
    // The client says no more: its program waits until the channel is closed.
    sftp.once('end', () => {
      sftp.end();
      this.#end();
    });
    sftp.on('OPEN', (id, path, flags) => {
      this.#active();
      if ((flags & OPEN_MODE.WRITE) === 0) return absent(id);
      const opened = this.#open(absolutePath('/', path));
      if (typeof opened === 'string') status(id, STATUS_CODE.FAILURE, opened);
      else sftp.handle(id, opened.handle);
    });
    sftp.on('WRITE', (id, handle, offset, data) => {
      this.#active();
      const coming = this.#comingOf(handle);
      if (!coming) return status(id, STATUS_CODE.FAILURE, 'No such file is open');
      // The library goes on using its memory.
      answered(id, this.#part(coming, offset, Buffer.from(data))).catch(() => {});
    });
    sftp.on('CLOSE', (id, handle) => {
      this.#active();
      const coming = this.#comingOf(handle);
      // A folder.
      if (!coming) return fine(id);
      if (coming.early.size > 0) coming.bytes.destroy(new Error('a part of the file is missing'));
      else coming.bytes.end();
      answered(id, coming.taken).catch(() => {});
    });
    sftp.on('RENAME', (id, from, to) => {
      this.#active();
      answered(id, this.#rename(absolutePath('/', from), absolutePath('/', to))).catch(() => {});
    });
    sftp.on('STAT', statOf);
    sftp.on('LSTAT', statOf);
    sftp.on('FSTAT', (id, handle) => {
      const coming = this.#comingOf(handle);
      if (coming) sftp.attrs(id, attributes(FILE_MODE, coming.size));
      else status(id, STATUS_CODE.FAILURE);
    });
    sftp.on('REALPATH', (id, path) => {
      this.#active();
      const name = absolutePath('/', path).slice(0, PATH_CHARACTERS);
      sftp.name(id, [{ filename: name, longname: name, attrs: attributes(FOLDER_MODE, 0) }]);
    });
    sftp.on('MKDIR', (id, path) => {
      this.#active();
      const at = absolutePath('/', path);
      // Clients make the folders that they miss; only that they exist is remembered.
      if (folders.size < 100 && at.length <= PATH_CHARACTERS) folders.add(at);
      fine(id);
    });
    // Nothing is there that could be seen.
    sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('folder')));
    sftp.on('READDIR', (id) => status(id, STATUS_CODE.EOF));
    sftp.on('RMDIR', fine);
    sftp.on('SETSTAT', fine);
    sftp.on('FSETSTAT', fine);
    sftp.on('REMOVE', absent);
    sftp.on('READ', (id) => status(id, STATUS_CODE.PERMISSION_DENIED, 'Files cannot be fetched'));
  }

  #comingOf(handle: Buffer): Coming | undefined {
    return this.#coming?.handle.equals(handle) ? this.#coming : undefined;
  }

  /** @returns why not */
  #open(path: string): Coming | string {
    const { transfers, limits } = this.#deps;
    const fileName = baseName(path);
    if (fileName === undefined || path.length > PATH_CHARACTERS) return 'This is no name of a file';
    if (this.#coming) return 'One file at a time';
    const { source } = this.#admitted as AdmittedUpload<'SftpUpload'>;
    if (!transfers.enter(source.ownerId)) return 'Too many files come at once: try again later';
    const bytes = new PassThrough({ highWaterMark: WAITING_BYTES });
    // Whoever reads it is told.
    bytes.on('error', () => {});
    const taken = (this.#uploads as UploadSession)
      .take(path, { fileName, bytes: bytes as AsyncIterable<Buffer> }, this.#gone.signal)
      .finally(() => {
        transfers.leave(source.ownerId);
        const over = this.#coming;
        clearTimeout(over?.timer);
        this.#coming = undefined;
        this.#holdEarly(over, 0);
        this.#read(-this.#waitingBytes);
        if (!bytes.destroyed) bytes.destroy();
      });
    taken.catch(() => {});
    this.#handles += 1;
    const handle = Buffer.from(String(this.#handles));
    const coming: Coming = { handle, bytes, taken, size: 0, timer: undefined, early: new Map(), earlyBytes: 0 };
    coming.timer = setTimeout(() => bytes.destroy(new Error('nothing came for too long')), limits.pauseMs);
    this.#coming = coming;
    return coming;
  }

  /** @throws Refusal */
  async #part(coming: Coming, offset: number, data: Buffer): Promise<void> {
    coming.timer?.refresh();
    if (offset === coming.size) {
      const written = this.#write(coming, data);
      for (let next = coming.early.get(coming.size); next; next = coming.early.get(coming.size)) {
        coming.early.delete(coming.size);
        this.#holdEarly(coming, coming.earlyBytes - next.length);
        // Whether it could be stored is told at the end.
        this.#write(coming, next).catch(() => {});
      }
      return written;
    }
    const bytes = coming.earlyBytes + data.length;
    if (offset < coming.size || coming.early.has(offset) || bytes > EARLY_BYTES || !this.#holdEarly(coming, bytes))
      throw new Refusal('Files come in order, from the beginning');
    coming.early.set(offset, data);
  }

  /** @returns false: there is no memory for so much of all clients together */
  #holdEarly(coming: Coming | undefined, bytes: number): boolean {
    if (!coming) return true;
    const isHeld = this.#deps.transfers.hold(coming.earlyBytes, bytes);
    if (isHeld) coming.earlyBytes = bytes;
    return isHeld;
  }

  async #write(coming: Coming, data: Buffer): Promise<void> {
    coming.size += data.length;
    this.#read(data.length);
    try {
      await new Promise<void>((resolve, reject) =>
        coming.bytes.write(data, (error) => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      // Why it is not taken says more.
      await coming.taken;
      throw error;
    } finally {
      if (this.#coming === coming) this.#read(-data.length);
    }
  }

  /** Counts what waits to be stored: the client is not read while it is too much. */
  #read(bytes: number): void {
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > WAITING_BYTES) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  async #rename(from: string, path: string): Promise<void> {
    const fileName = baseName(path);
    if (fileName === undefined || path.length > PATH_CHARACTERS) throw new Refusal('This is no name of a file');
    if (!(await this.#uploads?.rename(from, { path, fileName })))
      throw new Refusal('There is no such file, or it is being read already');
  }

  #reasonOf(error: unknown): string {
    if (error instanceof Refusal) return error.message;
    const { kind, message } = toDomainError(error);
    if (kind === 'too_large') return 'Too large: at most 100 MB a file';
    if (kind === 'resource_exhausted') return message;
    if (kind === 'not_found') return 'The source is gone';
    const isOurs = error instanceof DomainError && kind !== 'cancelled';
    this.#deps.log[isOurs ? 'warn' : 'debug']({ err: error }, 'file by SFTP could not be kept');
    return isOurs ? 'Not available: try again later' : 'The file did not arrive';
  }
}

/** Text for the client. */
class Refusal extends Error {}

const attributes = (mode: number, size: number) => ({ mode, uid: 0, gid: 0, size, atime: 0, mtime: 0 });
