import { createHash } from 'node:crypto';
import type { SettingsOf } from '@catchment/contracts/transports';
import { type Allowance, type Egress, REMOTE_LIMITS, type RemoteLimits } from '@catchment/egress';
import ssh2, { type FileEntryWithStats, type SFTPWrapper } from 'ssh2';
import {
  CommunicationFailure,
  type FileConnection,
  type FileTransport,
  type RemoteFile,
  type SessionSource,
} from '../../acquisition/index.ts';
import { DEPTH_MAX, FOLDERS_MAX, hostAndPort, isPlainName, pathIn } from '../domain/remote-path.ts';
import type { HostKeys } from '../usecases/ports.ts';
import { communicatingAll, communicatingWithin, shownText } from './communication.ts';

type Settings = SettingsOf<'SftpDownload'>;
type Client = InstanceType<typeof ssh2.Client>;

const CONNECT_MS = 30_000;
/** A server that says nothing for this long is gone. */
const ALIVE_EVERY_MS = 15_000;
const ALIVE_MISSED = 4;
const READ_BYTES = 64 * 1024;

/**
 * Downloads over SFTP. A host key is the one of the settings; where they name none, the first one that the host showed to this
 * source is remembered, and another one refused.
 */
export class SftpDownload implements FileTransport<'SftpDownload'> {
  readonly name = 'SftpDownload';
  readonly #egress: Egress;
  readonly #hostKeys: HostKeys;
  readonly #limits: RemoteLimits;

  constructor(egress: Egress, hostKeys: HostKeys, limits: RemoteLimits = REMOTE_LIMITS) {
    this.#egress = egress;
    this.#hostKeys = hostKeys;
    this.#limits = limits;
  }

  target({ host, port }: Settings): string {
    return `sftp://${hostAndPort(host, port)}`;
  }

  async connect(settings: Settings, source: SessionSource, signal: AbortSignal): Promise<FileConnection> {
    const { host, port, user, password, privateKey, path } = settings;
    const target = hostAndPort(host, port);
    const known = settings.hostKey || (await this.#hostKeys.find(source.sourceId, target));
    const client = new ssh2.Client();
    const shown = { key: '' };
    const refusal = () =>
      shown.key !== '' && known && !isSameKey(shown.key, known)
        ? `the host shows the key ${shown.key}, not ${known}; hostKey of the transport says which one is right`
        : undefined;
    const failing = (error: unknown) => refusal() ?? words(error);
    const spending: Spending = {};
    const sftp = await communicatingWithin(this.#limits.login, signal, failing, async (allowance) => {
      const socket = await this.#egress.connect({ host, port, timeoutMs: CONNECT_MS, signal: allowance.signal });
      socket.on('error', () => undefined);
      spending.allowance = allowance;
      try {
        return await ready(
          client,
          allowance.signal,
          {
            sock: socket,
            username: user,
            ...(password && { password }),
            ...(privateKey && { privateKey }),
            readyTimeout: CONNECT_MS,
            keepaliveInterval: ALIVE_EVERY_MS,
            keepaliveCountMax: ALIVE_MISSED,
            hostVerifier: (key: Buffer) => {
              shown.key = fingerprintOf(key);
              return refusal() === undefined;
            },
          },
          () => socket.on('data', (bytes: Buffer) => spending.allowance?.spend(bytes.length)),
        );
      } catch (error) {
        client.destroy();
        socket.destroy();
        throw error;
      }
    });
    // This comes after the login: a host that refuses it has not been shown to be the right one. A key that a person
    // wrote replaces the seen one.
    if (!known || settings.hostKey) await this.#hostKeys.remember(source.sourceId, target, shown.key);
    return new SftpConnection({ client, sftp, spending, limits: this.#limits }, path);
  }
}

/** The operation that is under way has this allowance: whatever arrives is counted against it. */
type Spending = { allowance?: Allowance };

/** The form is that of `ssh-keygen -l`. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
const isSameKey = (left: string, other: string): boolean => left.replace(/=+$/, '') === other.replace(/=+$/, '');

/** @param connecting called once the client reads from its socket */
function ready(
  client: Client,
  signal: AbortSignal,
  config: Parameters<Client['connect']>[0],
  connecting: () => void,
): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    const abort = () => client.destroy();
    signal.addEventListener('abort', abort, { once: true });
    const failed = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      reject(error);
    };
    // Errors come also later, when a transfer fails by them anyway.
    client.on('error', failed);
    client.once('close', () => failed(new CommunicationFailure('connection broken off')));
    client.once('ready', () =>
      client.sftp((error, sftp) => {
        if (error) failed(new CommunicationFailure('the server has no SFTP', { cause: error }));
        else {
          signal.removeEventListener('abort', abort);
          resolve(sftp);
        }
      }),
    );
    try {
      client.connect(config);
      connecting();
    } catch (error) {
      failed(error);
    }
  });
}

class SftpConnection implements FileConnection {
  readonly #client: Client;
  readonly #sftp: SFTPWrapper;
  readonly #spending: Spending;
  readonly #limits: RemoteLimits;
  readonly #folder: string;

  constructor(of: { client: Client; sftp: SFTPWrapper; spending: Spending; limits: RemoteLimits }, folder: string) {
    this.#client = of.client;
    this.#sftp = of.sftp;
    this.#spending = of.spending;
    this.#limits = of.limits;
    this.#folder = folder;
  }

  files(signal: AbortSignal): AsyncIterable<RemoteFile> {
    return communicatingAll(this.#limits.listing, signal, words, (allowance) => this.#files(allowance));
  }

  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return communicatingAll(this.#limits.file, signal, words, (allowance) => this.#read(file, fromByte, allowance));
  }

  remove(file: RemoteFile, signal: AbortSignal): Promise<void> {
    return communicatingWithin(this.#limits.reply, signal, words, (allowance) =>
      this.#call<void>(allowance, (done) => this.#sftp.unlink(file.path, (error) => done(error, undefined))),
    );
  }

  async close(): Promise<void> {
    this.#client.end();
    this.#client.destroy();
  }

  async *#files(allowance: Allowance): AsyncGenerator<RemoteFile> {
    const folders = [{ path: this.#folder, depth: 0 }];
    for (let at = 0; at < folders.length; at += 1) {
      const { path, depth } = folders[at]!;
      for await (const { filename, attrs } of this.#entries(path || '.', allowance)) {
        allowance.takeParts(1);
        if (!isPlainName(filename)) continue;
        const filePath = pathIn(path, filename);
        if (attrs.isDirectory() && depth < DEPTH_MAX && folders.length < FOLDERS_MAX)
          folders.push({ path: filePath, depth: depth + 1 });
        if (attrs.isFile())
          yield { path: filePath, name: filename, sizeBytes: attrs.size, modifiedMs: attrs.mtime * 1000 };
      }
    }
  }

  /** Yields entries of a folder, as many at a time as the server sends. */
  async *#entries(path: string, allowance: Allowance): AsyncGenerator<FileEntryWithStats> {
    const handle = await this.#call<Buffer>(allowance, (done) => this.#sftp.opendir(path, done));
    try {
      for (;;) {
        const some = await this.#call<FileEntryWithStats[]>(allowance, (done) =>
          this.#sftp.readdir(handle, done),
        ).catch((error: { code?: unknown }) => {
          if (error.code === ssh2.utils.sftp.STATUS_CODE.EOF) return undefined;
          throw error;
        });
        if (!some) return;
        if (some.length === 0) allowance.takePage();
        yield* some;
      }
    } finally {
      this.#sftp.close(handle, () => undefined);
    }
  }

  async *#read(file: RemoteFile, fromByte: number, allowance: Allowance): AsyncGenerator<Uint8Array> {
    this.#spending.allowance = allowance;
    const { signal } = allowance;
    const stream = this.#sftp.createReadStream(file.path, { start: fromByte, highWaterMark: READ_BYTES });
    const abort = () => this.#client.destroy();
    const broken = () => stream.destroy(new CommunicationFailure('connection broken off'));
    // Its handle is closed after it: nobody waits for that.
    stream.on('error', () => undefined);
    signal.addEventListener('abort', abort, { once: true });
    this.#client.once('close', broken);
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) yield piece;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#client.off('close', broken);
      stream.destroy();
    }
  }

  /** Waits for an answer of the server, or the end of the connection. */
  #call<T>(
    allowance: Allowance,
    ask: (done: (error: Error | null | undefined, answer: T) => void) => void,
  ): Promise<T> {
    const { signal } = allowance;
    this.#spending.allowance = allowance;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => this.#client.destroy();
      const broken = () => settled(new CommunicationFailure('connection broken off'));
      const settled = (error: unknown, answer?: T) => {
        signal.removeEventListener('abort', abort);
        this.#client.off('close', broken);
        if (error) reject(error);
        else resolve(answer as T);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#client.once('close', broken);
      ask((error, answer) => settled(error, answer));
    });
  }
}

function words(error: unknown): string | undefined {
  const { level, message = '', code } = error as { level?: string; message?: string; code?: unknown };
  if (level === 'client-authentication') return 'login was refused: check user, and password or privateKey';
  if (level === 'client-timeout') return 'no answer in time';
  if (level === 'protocol' || level === 'handshake' || /^(?:Max greeting lines|Header line)/.test(message))
    return `answer is no SSH that is understood: ${shownText(message)}`;
  if (/parse privateKey/.test(message)) return 'privateKey cannot be read';
  if (typeof code === 'number') return `answered ${shownText(message)}`;
  return undefined;
}
