import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { SettingsOf } from '@catchment/contracts/transports';
import type { Egress } from '@catchment/egress';
import {
  CommunicationFailure,
  type FileConnection,
  type FileTransport,
  type RemoteFile,
} from '../../acquisition/index.ts';
import { ENTRIES_MAX, TOO_MANY_ENTRIES } from '../domain/remote-path.ts';
import { communicating, communicatingAll } from './communication.ts';

type Settings = SettingsOf<'S3'>;

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
/** Where the settings name no endpoint; buckets of other regions are found by the answer. */
const REGION = 'us-east-1';

/** Downloads from S3 and what speaks like it. */
export class S3Download implements FileTransport<'S3'> {
  readonly name = 'S3';
  readonly #egress: Egress;

  constructor(egress: Egress) {
    this.#egress = egress;
  }

  target({ bucket, endpoint }: Settings): string {
    return endpoint ? `${new URL(endpoint).host}/${bucket}` : `s3://${bucket}`;
  }

  async connect(settings: Settings, _source: unknown, signal: AbortSignal): Promise<FileConnection> {
    const { accessKeyId, secret: secretAccessKey, endpoint } = settings;
    await communicating(signal, words, async () => {
      if (endpoint) this.#egress.checkUrl(new URL(endpoint));
    });
    const { lookup } = this.#egress;
    const client = new S3Client({
      credentials: { accessKeyId, secretAccessKey },
      region: REGION,
      // Other makers' servers have their buckets below one name.
      ...(endpoint ? { endpoint, forcePathStyle: true } : { followRegionRedirects: true }),
      maxAttempts: 2,
      requestHandler: {
        httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 4, lookup }),
        httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 4, lookup }),
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        socketTimeout: ANSWER_MS,
      },
    });
    return new S3Connection(client, settings);
  }
}

class S3Connection implements FileConnection {
  readonly alwaysRemoves = true;
  readonly #client: S3Client;
  readonly #settings: Settings;

  constructor(client: S3Client, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
  }

  files(signal: AbortSignal): AsyncIterable<RemoteFile> {
    return communicatingAll(signal, words, () => this.#files(signal));
  }

  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return communicatingAll(signal, words, () => this.#read(file, fromByte, signal));
  }

  remove({ path: Key }: RemoteFile, abortSignal: AbortSignal): Promise<void> {
    return communicating(abortSignal, words, async () => {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#settings.bucket, Key }), { abortSignal });
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  async *#files(abortSignal: AbortSignal): AsyncGenerator<RemoteFile> {
    const { bucket: Bucket, prefix } = this.#settings;
    const request = { Bucket, ...(prefix && { Prefix: prefix }) };
    const pages = paginateListObjectsV2({ client: this.#client }, request, { abortSignal });
    let entries = 0;
    for await (const { Contents = [] } of pages) {
      entries += Contents.length;
      if (entries > ENTRIES_MAX) throw new CommunicationFailure(TOO_MANY_ENTRIES);
      for (const { Key = '', Size = 0, LastModified } of Contents) {
        const name = Key.split('/').at(-1) ?? '';
        // Folders that consoles make are objects without bytes.
        if (name === '') continue;
        const modifiedMs = LastModified?.getTime();
        yield { path: Key, name, sizeBytes: Size, ...(modifiedMs !== undefined && { modifiedMs }) };
      }
    }
  }

  async *#read({ path: Key }: RemoteFile, fromByte: number, abortSignal: AbortSignal): AsyncGenerator<Uint8Array> {
    const range = fromByte > 0 && { Range: `bytes=${fromByte}-` };
    const command = new GetObjectCommand({ Bucket: this.#settings.bucket, Key, ...range });
    const { Body } = await this.#client.send(command, { abortSignal });
    for await (const piece of (Body ?? []) as AsyncIterable<Uint8Array>) yield piece;
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'the accessKeyId is not known',
  SignatureDoesNotMatch: 'the secret is not that of the accessKeyId',
  AccessDenied: 'access to the bucket was refused',
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: 'the object is gone',
};

function words(error: unknown): string | undefined {
  const { name = '' } = error as { name?: string };
  if (name === 'TimeoutError') return 'no answer in time';
  if (!(error instanceof S3ServiceException)) return undefined;
  return REFUSALS[name] ?? `answered ${/^\w{1,60}$/.test(name) ? name : error.$metadata.httpStatusCode}`;
}
