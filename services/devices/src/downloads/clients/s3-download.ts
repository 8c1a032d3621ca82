import type { SettingsOf } from '@catchment/contracts/transports';
import { type Allowance, type Egress, REMOTE_LIMITS, type RemoteLimits } from '@catchment/egress';
import {
  CommunicationFailure,
  type FileConnection,
  type FileTransport,
  type RemoteFile,
} from '../../acquisition/index.ts';
import { communicating, communicatingAll, communicatingWithin } from './communication.ts';
import { NoList, readPage, type S3Page } from './s3-answer.ts';
import { CHECKSUM_ASKED, whole } from './s3-checksum.ts';
import { boundedText, S3Client, S3Refused } from './s3-client.ts';

type Settings = SettingsOf<'S3'>;

/** A page is held whole and has up to this many entries: 500 of the longest names are below its limit. */
const PAGE_ENTRIES = 500;

/** Downloads from S3 and what speaks like it. */
export class S3Download implements FileTransport<'S3'> {
  readonly name = 'S3';
  readonly #egress: Egress;
  readonly #limits: RemoteLimits;
  readonly #now: () => number;

  constructor(egress: Egress, limits: RemoteLimits = REMOTE_LIMITS, now: () => number = Date.now) {
    this.#egress = egress;
    this.#limits = limits;
    this.#now = now;
  }

  target({ bucket, endpoint }: Settings): string {
    return endpoint ? `${new URL(endpoint).host}/${bucket}` : `s3://${bucket}`;
  }

  async connect(settings: Settings, _source: unknown, signal: AbortSignal): Promise<FileConnection> {
    const { accessKeyId, secret: secretAccessKey, bucket, endpoint } = settings;
    await communicating(signal, words, async () => {
      if (endpoint) this.#egress.checkUrl(new URL(endpoint));
    });
    const client = new S3Client(
      { bucket, endpoint: endpoint || undefined },
      { accessKeyId, secretAccessKey },
      { egress: this.#egress, refusal: this.#limits.reply, now: this.#now },
    );
    return new S3Connection(client, settings.prefix, this.#limits);
  }
}

class S3Connection implements FileConnection {
  readonly alwaysRemoves = true;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #limits: RemoteLimits;

  constructor(client: S3Client, prefix: string, limits: RemoteLimits) {
    this.#client = client;
    this.#prefix = prefix;
    this.#limits = limits;
  }

  files(signal: AbortSignal): AsyncIterable<RemoteFile> {
    return communicatingAll(this.#limits.listing, signal, words, (allowance) => this.#files(allowance));
  }

  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return communicatingAll(this.#limits.file, signal, words, (allowance) => this.#read(file, fromByte, allowance));
  }

  remove({ path }: RemoteFile, signal: AbortSignal): Promise<void> {
    const { reply } = this.#limits;
    return communicatingWithin(reply, signal, words, async ({ signal: within }) => {
      const { body } = await this.#client.send({ method: 'DELETE', object: path }, within);
      await boundedText(body, reply, within);
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async *#files(allowance: Allowance): AsyncGenerator<RemoteFile> {
    let after: string | undefined;
    for (;;) {
      allowance.takePage();
      const { objects, isTruncated, next } = await this.#page(after, allowance.signal);
      allowance.takeParts(objects.length);
      for (const { key, ...object } of objects) {
        const name = key.split('/').at(-1) ?? '';
        // Folders that consoles make are objects without bytes.
        if (name !== '') yield { path: key, name, ...object };
      }
      if (!isTruncated) return;
      if (next === undefined || next === after)
        throw new CommunicationFailure('listing does not go on: the endpoint repeats a page of it');
      after = next;
    }
  }

  #page(after: string | undefined, signal: AbortSignal): Promise<S3Page> {
    const { page } = this.#limits;
    const query = {
      'list-type': '2',
      'max-keys': `${PAGE_ENTRIES}`,
      ...(this.#prefix && { prefix: this.#prefix }),
      ...(after !== undefined && { 'continuation-token': after }),
    };
    return communicatingWithin(page, signal, words, async ({ signal: within }) => {
      const { body } = await this.#client.send({ method: 'GET', query }, within);
      return readPage(await boundedText(body, page, within));
    });
  }

  async *#read({ path }: RemoteFile, fromByte: number, allowance: Allowance): AsyncGenerator<Uint8Array> {
    const headers = fromByte > 0 ? { range: `bytes=${fromByte}-` } : CHECKSUM_ASKED;
    const answer = await this.#client.send({ method: 'GET', object: path, headers }, allowance.signal);
    const bytes = allowance.passing(answer.body);
    yield* fromByte > 0 ? bytes : whole(bytes, answer.headers);
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
  if (error instanceof NoList) return 'the answer is no list of objects: the endpoint must be one that speaks S3';
  if (/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(String((error as { code?: unknown }).code))) return 'no answer in time';
  if (!(error instanceof S3Refused)) return undefined;
  const { code = '', statusCode } = error;
  return REFUSALS[code] ?? `answered ${/^\w{1,60}$/.test(code) ? code : statusCode}`;
}
