import { isIP } from 'node:net';
import { PassThrough } from 'node:stream';
import type { SettingsOf } from '@catchment/contracts/transports';
import { type Allowance, type Egress, REMOTE_LIMITS, type RemoteLimits } from '@catchment/egress';
import { FileType, FTPError } from 'basic-ftp';
import type { FileConnection, FileTransport, RemoteFile } from '../../acquisition/index.ts';
import { DEPTH_MAX, FOLDERS_MAX, hostAndPort, isPlainName, pathIn } from '../domain/remote-path.ts';
import { communicatingAll, communicatingWithin, shownText } from './communication.ts';
import { BoundedFtpClient } from './ftp-client.ts';

type Settings = SettingsOf<'FtpDownload'>;

const IMPLICIT_PORT = 990;

/** Downloads over FTP and FTPS, by passive connections to the host of the control connection alone. */
export class FtpDownload implements FileTransport<'FtpDownload'> {
  readonly name = 'FtpDownload';
  readonly #egress: Egress;
  readonly #ca: string | undefined;
  readonly #limits: RemoteLimits;

  /** @param options.ca certificates that are trusted, in place of those of Node */
  constructor(egress: Egress, { ca, limits = REMOTE_LIMITS }: { ca?: string; limits?: RemoteLimits } = {}) {
    this.#egress = egress;
    this.#ca = ca;
    this.#limits = limits;
  }

  target(settings: Settings): string {
    return `ftp${settings.mode === 'FTP' ? '' : 's'}://${hostAndPort(settings.host, portOf(settings))}`;
  }

  async connect(settings: Settings, _source: unknown, signal: AbortSignal): Promise<FileConnection> {
    const connection = new FtpConnection(settings, this.#egress, { ca: this.#ca, limits: this.#limits });
    try {
      await communicatingWithin(this.#limits.login, signal, words, (allowance) => connection.client(allowance));
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}

/** 21 is what the attribute says where nobody has chosen. */
const portOf = ({ port, mode }: Settings): number =>
  mode === 'FTPS_IMPLICIT' && (port === 21 || port === 0) ? IMPLICIT_PORT : port || 21;

class FtpConnection implements FileConnection {
  readonly #settings: Settings;
  readonly #egress: Egress;
  readonly #ca: string | undefined;
  readonly #limits: RemoteLimits;
  #client: BoundedFtpClient | undefined;

  constructor(settings: Settings, egress: Egress, options: { ca: string | undefined; limits: RemoteLimits }) {
    this.#settings = settings;
    this.#egress = egress;
    this.#ca = options.ca;
    this.#limits = options.limits;
  }

  /** Logged in; anew where a transfer was broken off, which ends the connection. */
  async client(allowance: Allowance): Promise<BoundedFtpClient> {
    if (this.#client && !this.#client.closed) return this.#client;
    const { host, mode, user, password = '' } = this.#settings;
    // The library connects by itself: to an address that was checked, whose name it then knows for the certificate alone.
    const address = await this.#egress.addressOf(host);
    const client = new BoundedFtpClient();
    this.#client = client;
    const secure = mode === 'FTPS_IMPLICIT' ? 'implicit' : mode === 'FTPS_EXPLICIT';
    const identity = isIP(host) ? { host: address } : { host: address, servername: host };
    await client.within(allowance, () =>
      client.access({
        host: address,
        port: portOf(this.#settings),
        user,
        password: password || ANONYMOUS,
        secure,
        secureOptions: { ...identity, ...(this.#ca !== undefined && { ca: this.#ca }) },
      }),
    );
    return client;
  }

  files(signal: AbortSignal): AsyncIterable<RemoteFile> {
    return communicatingAll(this.#limits.listing, signal, words, (allowance) => this.#files(allowance));
  }

  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return communicatingAll(this.#limits.file, signal, words, (allowance) => this.#read(file, fromByte, allowance));
  }

  remove(file: RemoteFile, signal: AbortSignal): Promise<void> {
    return communicatingWithin(this.#limits.reply, signal, words, async (allowance) => {
      const client = await this.client(allowance);
      await client.within(allowance, () => client.remove(file.path));
    });
  }

  async close(): Promise<void> {
    this.#client?.close();
  }

  async *#files(allowance: Allowance): AsyncGenerator<RemoteFile> {
    const folders = [{ path: this.#settings.path, depth: 0 }];
    for (let at = 0; at < folders.length; at += 1) {
      const { path, depth } = folders[at]!;
      const client = await this.client(allowance);
      for await (const info of client.entries(path, allowance)) {
        allowance.takeParts(1);
        if (!isPlainName(info.name)) continue;
        const filePath = pathIn(path, info.name);
        if (info.type === FileType.Directory && depth < DEPTH_MAX && folders.length < FOLDERS_MAX)
          folders.push({ path: filePath, depth: depth + 1 });
        if (info.type !== FileType.File) continue;
        const modifiedMs = info.modifiedAt?.getTime();
        yield {
          path: filePath,
          name: info.name,
          sizeBytes: info.size,
          ...(modifiedMs !== undefined && !Number.isNaN(modifiedMs) && { modifiedMs }),
        };
      }
    }
  }

  async *#read(file: RemoteFile, fromByte: number, allowance: Allowance): AsyncGenerator<Uint8Array> {
    const client = await this.client(allowance);
    const bytes = new PassThrough();
    const transfer = client.within(allowance, () => client.downloadTo(bytes, file.path, fromByte));
    // The library ends the stream also where the transfer fails: only then is its end an end of the file.
    transfer.catch((error: Error) => bytes.destroy(error));
    let isWhole = false;
    try {
      yield* allowance.passing(bytes as AsyncIterable<Buffer>);
      await transfer;
      isWhole = true;
    } finally {
      bytes.destroy();
      // A transfer that was broken off leaves answers on the control connection that nobody waits for.
      if (!isWhole) client.close();
    }
  }
}

/** Servers expect this password where anybody may come. */
const ANONYMOUS = 'anonymous@';

function words(error: unknown): string | undefined {
  if (error instanceof FTPError)
    return error.code === 530 ? 'login was refused: check user and password' : `answered ${shownText(error.message)}`;
  const { message = '' } = error as { message?: string };
  if (/^Timeout/.test(message)) return 'no answer in time';
  if (/^FTP control response exceeded/.test(message))
    return 'answer has more than 64 KiB: the operator of the server should look at it';
  if (/^PASV returned another host/.test(message)) return 'the server asks for data connections to another host';
  if (/^Can't parse|^Maximum/.test(message)) return 'answer is no FTP that is understood';
  return undefined;
}
