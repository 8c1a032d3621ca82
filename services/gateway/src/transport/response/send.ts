import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { DocumentChunk } from '@catchment/contracts/common';
import { DomainError } from '@catchment/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentDisposition } from '../../domain/content-disposition.ts';
import { acceptsGzip, COMPRESS_ABOVE_BYTES, isCompressible, matchesEtag } from '../../domain/negotiation.ts';
import { type HttpProblem, problemBody } from './problem.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Nine tenths of the default level's gain at half its time, measured on JTS. */
const GZIP = { level: 4, memLevel: 8, strategy: constants.Z_DEFAULT_STRATEGY };
const deflate = promisify(gzip);

/**
 * Caches may keep an answer by its validator, or not at all
 * (docs/reference/requests-and-errors.md#conditional-requests).
 */
type Caching = { readonly etag: string } | 'no-store';

export type BytesAnswer = {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly contentType?: string;
  /** Present for files: the name that they are saved by. */
  readonly fileName?: string;
  readonly caching: Caching;
};

export type StreamAnswer = {
  /** 200 when absent. */
  readonly status?: number;
  readonly chunks: AsyncIterable<DocumentChunk>;
  /** Present for files: the name that they are saved by, where the first chunk does not bring it. */
  readonly fileName?: string;
  /** The tag is made of the revision in the first chunk; empty = the owner of the document knows none. */
  readonly caching: (revision: string) => Caching;
  /** Waits this long for the first chunk. */
  readonly firstChunkMs: number;
};

export async function sendBytes(request: FastifyRequest, reply: FastifyReply, answer: BytesAnswer): Promise<void> {
  const contentType = answer.contentType ?? JSON_TYPE;
  if (isFresh(request, reply, answer.caching)) return;
  reply.code(answer.status).header('content-type', contentType);
  if (answer.fileName !== undefined)
    reply.header('content-disposition', contentDisposition(contentType, answer.fileName));
  let bytes = answer.bytes;
  if (bytes.length > COMPRESS_ABOVE_BYTES && mayCompress(request, contentType)) {
    bytes = await deflate(bytes, GZIP);
    reply.header('content-encoding', 'gzip');
  }
  reply.header('content-length', bytes.length);
  reply.send(request.method === 'HEAD' ? undefined : bytes);
}

/** A longer first chunk is one of several. */
const WHOLE_UP_TO_BYTES = 65_536;

/** The failure in place of whatever was prepared before. */
export async function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: HttpProblem): Promise<void> {
  if (problem.status >= 500 && request.call) request.call.problem = problem.reason;
  for (const name of ['content-encoding', 'content-length', 'etag']) reply.removeHeader(name);
  // An address that cannot be read is refused before any hook.
  reply.headers(problem.headers).header('x-content-type-options', 'nosniff');
  await sendBytes(request, reply, { status: problem.status, bytes: problemBody(problem), caching: 'no-store' });
}

/**
 * Pipes a document made elsewhere, at the client's pace. Nothing is sent before the first chunk is there, so errors until
 * then become error answers; later ones break the connection off (docs/reference/guarantees.md#whole-answers).
 */
export async function sendStream(request: FastifyRequest, reply: FastifyReply, answer: StreamAnswer): Promise<void> {
  const chunks = answer.chunks[Symbol.asyncIterator]();
  try {
    const first = await within(answer.firstChunkMs, chunks.next());
    if (first.done) throw new DomainError('internal', 'EMPTY_ANSWER', 'the peer ended without a chunk');
    const contentType = first.value.contentType || JSON_TYPE;
    if (isFresh(request, reply, answer.caching(first.value.revision))) return abandon(request);
    reply.code(answer.status ?? 200).header('content-type', contentType);
    const fileName = answer.fileName ?? first.value.fileName;
    if (fileName !== undefined) reply.header('content-disposition', contentDisposition(contentType, fileName));
    if (request.method === 'HEAD') {
      abandon(request);
      reply.send();
      return;
    }
    if (mayCompress(request, contentType)) await sendCompressed(request, reply, first.value.data, chunks);
    else await sendPlain(request, reply, first.value.data, chunks);
  } catch (error) {
    abandon(request);
    throw error;
  }
}

/** An answer that is there with its first chunk goes as it is: a stream costs as much as all else that is done for it here. */
async function sendPlain(
  request: FastifyRequest,
  reply: FastifyReply,
  first: Uint8Array,
  chunks: AsyncIterator<DocumentChunk>,
): Promise<void> {
  if (first.length > WHOLE_UP_TO_BYTES) return void reply.send(bytesOf(request, [first], chunks));
  const second = await chunks.next();
  if (!second.done) return void reply.send(bytesOf(request, [first, second.value.data], chunks));
  reply.header('content-length', first.length);
  reply.send(first);
}

async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  first: Uint8Array,
  chunks: AsyncIterator<DocumentChunk>,
): Promise<void> {
  const head = [first];
  let sizeBytes = first.length;
  while (sizeBytes <= COMPRESS_ABOVE_BYTES) {
    const next = await chunks.next();
    if (next.done) {
      const whole = Buffer.concat(head);
      reply.header('content-length', whole.length);
      reply.send(whole);
      return;
    }
    head.push(next.value.data);
    sizeBytes += next.value.data.length;
  }
  reply.header('content-encoding', 'gzip');
  // An error on either side destroys the other; the reply sees the compressor's.
  reply.send(pipeline(bytesOf(request, head, chunks), createGzip(GZIP), () => abandon(request)));
}

function bytesOf({ call }: FastifyRequest, head: readonly Uint8Array[], rest: AsyncIterator<DocumentChunk>): Readable {
  async function* all(): AsyncIterable<Uint8Array> {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value.data;
  }
  return Readable.from(call.partsOf(all()), { objectMode: false, highWaterMark: 64 * 1024 });
}

/** Stops the calls of a request whose answer needs no more of them. */
const abandon = (request: FastifyRequest): void => request.call.abort();

function isFresh(request: FastifyRequest, reply: FastifyReply, caching: Caching): boolean {
  if (caching === 'no-store') {
    reply.header('cache-control', 'no-store');
    return false;
  }
  reply.header('etag', caching.etag).header('cache-control', 'private, no-cache');
  if (!matchesEtag(request.headers['if-none-match'], caching.etag)) return false;
  reply.code(304).send();
  return true;
}

const mayCompress = (request: FastifyRequest, contentType: string): boolean =>
  isCompressible(contentType) && acceptsGzip(request.headers['accept-encoding'] as string | undefined);

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new DomainError('deadline_exceeded', 'TOO_SLOW', 'Request or response too large')),
    limitMs,
  );
  work.catch(() => undefined);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
