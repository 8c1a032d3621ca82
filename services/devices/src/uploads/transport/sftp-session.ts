import type { Socket } from 'node:net';
import { DomainError, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type ssh2 from 'ssh2';
import { type Admission, plainAddress } from '../../listening/index.ts';
import { parseScpCommand, type ScpCommand } from '../domain/scp-command.ts';
import type { UploadAdmission } from '../usecases/admit-upload.ts';
import type { OneOfEach } from '../usecases/one-of-each.ts';
import type { TakeDeps } from '../usecases/take-upload.ts';
import { ClientUploads } from './client-uploads.ts';
import type { SessionLimits } from './ftp-control.ts';
import type { EarlyRoom, Flow } from './incoming-file.ts';
import { receiveScp } from './scp-sink.ts';
import { SftpChannel } from './sftp-channel.ts';

export type SftpDeps = {
  readonly uploadAdmission: UploadAdmission;
  readonly take: TakeDeps;
  /** Files that come at a time, by account. */
  readonly transfers: Admission;
  readonly sources: OneOfEach;
  /** Parts of files that come too early wait here. */
  readonly early: EarlyRoom;
  readonly log: Logger;
  readonly limits: SessionLimits;
};

const LOGINS_MAX = 3;
/** A client has at most this many open sessions, with a channel or without. */
const SESSIONS_MAX = 4;
const CLOSING_MS = 2_000;
/** A client whose channel is closed may open another one; most leave. */
const LINGER_MS = 10_000;
/**
 * Serves one client that speaks SFTP or the protocol of scp, and may upload files and nothing else (docs/reference/acquisition.md#uploads).
 */
export class SftpSession {
  readonly #deps: SftpDeps;
  readonly #client: ssh2.Connection;
  readonly #socket: Socket;
  readonly #address: string;
  readonly #gone = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #logins = 0;
  #uploads: ClientUploads | undefined;
  #sessions = 0;
  /** One is enough to upload, and each holds memory. */
  #hasChannel = false;
  #hasLeft = false;
  #sftp: SftpChannel | undefined;
  #scp: Promise<void> | undefined;
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
      if (this.#hasChannel || this.#sessions >= SESSIONS_MAX) return reject?.();
      const session = accept();
      this.#sessions += 1;
      session.once('close', () => {
        this.#sessions -= 1;
      });
      session.on('sftp', (open, refuse) => {
        if (this.#hasChannel) return refuse();
        this.#hasChannel = true;
        this.#serveSftp(open());
      });
      session.on('exec', (open, refuse, { command }) => {
        const scp = parseScpCommand(command);
        if (this.#hasChannel || !scp) return refuse?.();
        this.#hasChannel = true;
        this.#serveScp(open(), scp);
      });
    });
    this.#socket.once('close', () => this.#closed.resolve());
    await this.#closed.promise;
    clearTimeout(this.#timer);
    const left = new DomainError('cancelled', 'CALLER_LEFT', 'the client has left');
    this.#gone.abort(left);
    await Promise.all([this.#sftp?.over(left), this.#scp]);
    await this.#uploads?.end();
  }

  /** Ends the session; a file that comes may do so within the time. */
  drain(limitMs: number): void {
    if (this.#isReceiving) setTimeout(() => this.#end(), limitMs).unref();
    else this.#end();
  }

  isQuiet(quietMs: number): boolean {
    if (!this.#hasChannel && this.#hasLeft) return true;
    return !this.#isReceiving && this.#deps.take.now() - this.#lastMs >= quietMs;
  }

  replaced(): void {
    this.#end();
  }

  #end(): void {
    this.#client.end();
    setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
  }

  #expect(ms: number | undefined): void {
    clearTimeout(this.#timer);
    if (ms !== undefined) this.#timer = setTimeout(() => this.#end(), ms);
  }

  async #authenticate(context: ssh2.AuthContext): Promise<void> {
    if (context.method !== 'password') return context.reject(['password']);
    const { uploadAdmission, sources, log } = this.#deps;
    const { username: key, password } = context;
    try {
      const admitted = await uploadAdmission.admit({ transport: 'SftpUpload', key, password, address: this.#address });
      if (this.#socket.destroyed || this.#uploads) return;
      if (!(await sources.enter(admitted.source.nodeId, this))) {
        log.info({ sourceId: admitted.source.nodeId }, 'SFTP client refused: another one of the source is connected');
        return this.#end();
      }
      this.#closed.promise.then(() => sources.leave(admitted.source.nodeId, this)).catch(() => {});
      if (this.#socket.destroyed) return;
      this.#uploads = new ClientUploads(admitted, this.#deps, this.#gone.signal);
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

  get #isReceiving(): boolean {
    return this.#scp !== undefined || this.#sftp?.isReceiving === true;
  }

  #serveSftp(sftp: ssh2.SFTPWrapper): void {
    const { early, limits, take, log } = this.#deps;
    const socket = this.#socket;
    const flow: Flow = { room: early, pause: () => socket.pause(), resume: () => socket.resume() };
    this.#sftp = new SftpChannel(sftp, {
      uploads: this.#uploads as ClientUploads,
      flow,
      pauseMs: limits.pauseMs,
      now: take.now,
      active: () => this.#active(),
    });
    sftp.on('error', (err: unknown) => log.debug({ err }, 'SFTP request could not be read'));
    // The client says no more: its program waits for the exit status, and until the channel is closed.
    sftp.once('end', () => {
      this.#sftp?.over(new Error('the client has left')).catch(() => {});
      exitStatus(sftp, 0);
      sftp.end();
      this.#channelClosed();
    });
  }

  #serveScp(channel: ssh2.ServerChannel, command: ScpCommand): void {
    const { limits, log } = this.#deps;
    channel.on('error', (err: unknown) => log.debug({ err }, 'channel of scp failed'));
    const expect = (ms: number | undefined) => {
      this.#lastMs = this.#deps.take.now();
      this.#expect(ms);
    };
    const { idleMs, pauseMs } = limits;
    this.#scp = receiveScp(channel, command, { uploads: this.#uploads as ClientUploads, expect, idleMs, pauseMs })
      .then(
        (status) => {
          channel.exit(status);
          channel.end();
          this.#channelClosed();
        },
        (err: unknown) => {
          log.debug({ err }, 'scp broke off');
          this.#end();
        },
      )
      .finally(() => {
        this.#scp = undefined;
      });
  }

  /** The client leaves now, or opens another channel: a connection that ends at once could take the exit status with it. */
  #channelClosed(): void {
    this.#hasChannel = false;
    this.#hasLeft = true;
    this.#expect(LINGER_MS);
  }
}

/** The library has no word for it where a channel speaks SFTP, and clients of OpenSSH end with a failure without it. */
function exitStatus(sftp: ssh2.SFTPWrapper, status: number): void {
  const { _protocol: protocol, outgoing } = sftp as unknown as {
    readonly _protocol: { exitStatus(channel: number, status: number): void };
    readonly outgoing: { readonly id: number; readonly state: string };
  };
  if (outgoing.state === 'open') protocol.exitStatus(outgoing.id, status);
}
