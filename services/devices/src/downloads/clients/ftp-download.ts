import { isIP } from 'node:net';
import { PassThrough } from 'node:stream';
import type { SettingsOf } from '@catchment/contracts/transports';
import type { Egress } from '@catchment/egress';
import { Client, FileType, FTPError } from 'basic-ftp';
import {
  CommunicationFailure,
  type FileConnection,
  type FileTransport,
  type RemoteFile,
} from '../../acquisition/index.ts';
import {
  DEPTH_MAX,
  ENTRIES_MAX,
  FOLDERS_MAX,
  hostAndPort,
  isPlainName,
  pathIn,
  TOO_MANY_ENTRIES,
} from '../domain/remote-path.ts';
import { communicating, communicatingAll, shownText } from './communication.ts';

type Settings = SettingsOf<'FtpDownload'>;

/** Without a byte on control and data connection. */
const IDLE_MS = 30_000;
const IMPLICIT_PORT = 990;
/** Of one folder. */
const LISTING_BYTES_MAX = 16 * 1024 * 1024;

/** Downloads over FTP and FTPS, by passive connections to the host of the control connection alone. */
export class FtpDownload implements FileTransport<'FtpDownload'> {
  readonly name = 'FtpDownload';
  readonly #egress: Egress;
  readonly #ca: string | undefined;

  /** @param ca certificates that are trusted, in place of those of Node */
  constructor(egress: Egress, { ca }: { ca?: string } = {}) {
    this.#egress = egress;
    this.#ca = ca;
  }

  target(settings: Settings): string {
    return `ftp${settings.mode === 'FTP' ? '' : 's'}://${hostAndPort(settings.host, portOf(settings))}`;
  }

  async connect(settings: Settings, _source: unknown, signal: AbortSignal): Promise<FileConnection> {
    const connection = new FtpConnection(settings, this.#egress, this.#ca);
    try {
      await communicating(signal, words, () => connection.client(signal));
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
  #client: Client | undefined;

  constructor(settings: Settings, egress: Egress, ca: string | undefined) {
    this.#settings = settings;
    this.#egress = egress;
    this.#ca = ca;
  }

  /** Logged in; anew where a transfer was broken off, which ends the connection. */
  async client(signal: AbortSignal): Promise<Client> {
    if (this.#client && !this.#client.closed) return this.#client;
    const { host, mode, user, password = '' } = this.#settings;
    // The library connects by itself: to an address that was checked, whose name it then knows for the certificate alone.
    const address = await this.#egress.addressOf(host);
    const client = new Client(IDLE_MS, { allowSeparateTransferHost: false, maxListingBytes: LISTING_BYTES_MAX });
    this.#client = client;
    const secure = mode === 'FTPS_IMPLICIT' ? 'implicit' : mode === 'FTPS_EXPLICIT';
    const identity = isIP(host) ? { host: address } : { host: address, servername: host };
    await this.#ended(client, signal, () =>
      client.access({
        ...{ host: address, port: portOf(this.#settings), user, password: password || ANONYMOUS, secure },
        secureOptions: { ...identity, ...(this.#ca !== undefined && { ca: this.#ca }) },
      }),
    );
    return client;
  }

  files(signal: AbortSignal): AsyncIterable<RemoteFile> {
    return communicatingAll(signal, words, () => this.#files(signal));
  }

  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return communicatingAll(signal, words, () => this.#read(file, fromByte, signal));
  }

  remove(file: RemoteFile, signal: AbortSignal): Promise<void> {
    return communicating(signal, words, async () => {
      const client = await this.client(signal);
      await this.#ended(client, signal, () => client.remove(file.path));
    });
  }

  async close(): Promise<void> {
    this.#client?.close();
  }

  async *#files(signal: AbortSignal): AsyncGenerator<RemoteFile> {
    const folders = [{ path: this.#settings.path, depth: 0 }];
    let entries = 0;
    for (let at = 0; at < folders.length; at += 1) {
      const { path, depth } = folders[at]!;
      const client = await this.client(signal);
      const infos = await this.#ended(client, signal, () => client.list(path));
      entries += infos.length;
      if (entries > ENTRIES_MAX) throw new CommunicationFailure(TOO_MANY_ENTRIES);
      for (const info of infos) {
        if (!isPlainName(info.name)) continue;
        const own = pathIn(path, info.name);
        if (info.type === FileType.Directory && depth < DEPTH_MAX && folders.length < FOLDERS_MAX)
          folders.push({ path: own, depth: depth + 1 });
        if (info.type !== FileType.File) continue;
        const modifiedMs = info.modifiedAt?.getTime();
        yield {
          path: own,
          name: info.name,
          sizeBytes: info.size,
          ...(modifiedMs !== undefined && !Number.isNaN(modifiedMs) && { modifiedMs }),
        };
      }
    }
  }

  async *#read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const client = await this.client(signal);
    const bytes = new PassThrough();
    const transfer = this.#ended(client, signal, () => client.downloadTo(bytes, file.path, fromByte));
    // The library ends the stream also where the transfer fails: only then is its end an end of the file.
    transfer.catch((error: Error) => bytes.destroy(error));
    let isWhole = false;
    try {
      for await (const piece of bytes as AsyncIterable<Buffer>) yield piece;
      await transfer;
      isWhole = true;
    } finally {
      bytes.destroy();
      // A transfer that was broken off leaves answers on the control connection that nobody waits for.
      if (!isWhole) client.close();
    }
  }

  /** The library has no signals: closing ends what is under way. */
  async #ended<T>(client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const close = () => client.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      signal.removeEventListener('abort', close);
    }
  }
}

/** What servers expect where anybody may come. */
const ANONYMOUS = 'anonymous@';

function words(error: unknown): string | undefined {
  if (error instanceof FTPError)
    return error.code === 530 ? 'login was refused: check user and password' : `answered ${shownText(error.message)}`;
  const message = error instanceof Error ? error.message : '';
  if (/^Timeout/.test(message)) return 'no answer in time';
  if (/^PASV returned another host/.test(message)) return 'the server asks for data connections to another host';
  if (/^Can't parse|^Maximum/.test(message)) return 'answer is no FTP that is understood';
  return undefined;
}
