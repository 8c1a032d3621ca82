import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addAbortSignal, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { SettingsOf } from '@catchment/contracts/transports';
import { Allowance, type Egress, type Limits, REMOTE_LIMITS, type RemoteLimits } from '@catchment/egress';
import {
  CommunicationFailure,
  type FileConnection,
  type FileTransport,
  type RemoteFile,
} from '../../acquisition/index.ts';
import { communicating, communicatingAll, communicatingWithin } from './communication.ts';

type Settings = SettingsOf<'S3'>;

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
/** Entries of a page, which is held whole: 500 of the longest names are below the limit of one. */
const PAGE_ENTRIES = 500;
/** Where the settings name no endpoint; buckets of other regions are found by the answer. */
const REGION = 'us-east-1';

/** Downloads from S3 and what speaks like it. */
export class S3Download implements FileTransport<'S3'> {
  readonly name = 'S3';
  readonly #egress: Egress;
  readonly #limits: RemoteLimits;

  constructor(egress: Egress, limits: RemoteLimits = REMOTE_LIMITS) {
    this.#egress = egress;
    this.#limits = limits;
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
    return new S3Connection(client, settings, this.#limits);
  }
}

class S3Connection implements FileConnection {
  readonly alwaysRemoves = true;
  readonly #client: S3Client;
  readonly #settings: Settings;
  readonly #limits: RemoteLimits;
  /** Of the operation that is under way. */
  #signal = new AbortController().signal;

  constructor(client: S3Client, settings: Settings, limits: RemoteLimits) {
    this.#client = client;
    this.#settings = settings;
    this.#limits = limits;
    this.#boundAnswers();
  }

  files(signal: AbortSignal): AsyncIterable<RemoteFile> {
    return communicatingAll(this.#limits.listing, signal, words, (allowance) => this.#files(allowance));
  }

  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return communicatingAll(this.#limits.file, signal, words, (allowance) => this.#read(file, fromByte, allowance));
  }

  remove({ path: Key }: RemoteFile, signal: AbortSignal): Promise<void> {
    const { reply } = this.#limits;
    return communicatingWithin(reply, signal, words, async ({ signal: abortSignal }) => {
      const command = new DeleteObjectCommand({ Bucket: this.#settings.bucket, Key });
      this.#signal = abortSignal;
      await this.#client.send(command, { abortSignal });
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  async *#files(allowance: Allowance): AsyncGenerator<RemoteFile> {
    let next: string | undefined;
    for (;;) {
      allowance.takePage();
      const { Contents = [], IsTruncated, NextContinuationToken } = await this.#page(next, allowance.signal);
      allowance.takeParts(Contents.length);
      for (const { Key = '', Size = 0, LastModified } of Contents) {
        const name = Key.split('/').at(-1) ?? '';
        // Folders that consoles make are objects without bytes.
        if (name === '') continue;
        const modifiedMs = LastModified?.getTime();
        yield { path: Key, name, sizeBytes: Size, ...(modifiedMs !== undefined && { modifiedMs }) };
      }
      if (!IsTruncated) return;
      if (NextContinuationToken === undefined || NextContinuationToken === next)
        throw new CommunicationFailure('listing does not go on: the endpoint repeats a page of it');
      next = NextContinuationToken;
    }
  }

  #page(after: string | undefined, signal: AbortSignal) {
    const { bucket: Bucket, prefix } = this.#settings;
    const { page } = this.#limits;
    return communicatingWithin(page, signal, words, async ({ signal: abortSignal }) => {
      const command = new ListObjectsV2Command({
        Bucket,
        MaxKeys: PAGE_ENTRIES,
        ...(prefix && { Prefix: prefix }),
        ...(after !== undefined && { ContinuationToken: after }),
      });
      this.#signal = abortSignal;
      return await this.#client.send(command, { abortSignal });
    });
  }

  async *#read({ path: Key }: RemoteFile, fromByte: number, allowance: Allowance): AsyncGenerator<Uint8Array> {
    const range = fromByte > 0 && { Range: `bytes=${fromByte}-` };
    const command = new GetObjectCommand({ Bucket: this.#settings.bucket, Key, ...range });
    this.#signal = allowance.signal;
    const { Body } = await this.#client.send(command, { abortSignal: allowance.signal });
    yield* allowance.passing((Body ?? []) as AsyncIterable<Uint8Array>);
  }

  /** Bounds what the client reads of an answer, before it reads it: refusals, and what is held whole. */
  #boundAnswers(): void {
    const { reply, page } = this.#limits;
    this.#client.middlewareStack.add(
      (next, { commandName }) =>
        async (given) => {
          const output = await next(given);
          const response = output.response as { statusCode: number; body: unknown };
          if (!(response.body instanceof Readable)) return output;
          const isStream = response.statusCode < 300 && commandName === 'GetObjectCommand';
          const limits = commandName === 'ListObjectsV2Command' && response.statusCode < 300 ? page : reply;
          response.body = isStream
            ? addAbortSignal(this.#signal, response.body)
            : bounded(response.body, limits, this.#signal);
          return output;
        },
      { step: 'deserialize', priority: 'low', name: 'boundedAnswer' },
    );
  }
}

/** The same bytes; an error where they are too many or come too slowly. */
function bounded(body: Readable, limits: Limits, signal: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      using allowance = new Allowance(limits, signal);
      const end = () => body.destroy(allowance.signal.reason);
      allowance.signal.addEventListener('abort', end, { once: true });
      yield* allowance.passing(body);
    })(),
    { objectMode: false },
  );
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
