import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DomainError, invalid, tooLarge } from '@catchment/errors';
import type { BodyClaim } from '../../domain/body-budget.ts';
import { HttpProblem } from '../response/problem.ts';
import { badEncoding, badGzip, encodingOf } from './body-encoding.ts';
import { watchStall } from './stall-watch.ts';

/** A body has at most this after decompression (docs/reference/limits.md). */
export const BODY_MAX_BYTES = 5 * 1024 * 1024;
/** A slow mobile link takes this long for 5 MiB. */
const BODY_LIMIT_MS = 120_000;
/** A gzip stream of incompressible bytes is a little longer than they are. */
const COMPRESSED_MAX_BYTES = BODY_MAX_BYTES + 64 * 1024;

const inflate = promisify(gunzip);

/**
 * Reads the body as sent by the client, inflated; empty when there is none (docs/reference/requests-and-errors.md#order-of-checks,
 * step 8). After a refusal the rest of the body is read and discarded, so that the client gets the answer and not a
 * reset connection.
 * @throws DomainError too_large; invalid_argument for encoding and content type; unavailable when memory is short
 */
export async function readBody(
  request: IncomingMessage,
  claim: BodyClaim,
  wanted: 'application/json' | 'text/csv',
): Promise<Buffer> {
  const encoding = encodingOf(request);
  const limit = encoding === 'gzip' ? COMPRESSED_MAX_BYTES : BODY_MAX_BYTES;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const received = await receive(request, limit, claim);
  if (received.length === 0) return received;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (encoding === 'unknown') throw badEncoding();
  if (mediaType !== wanted) throw invalid('BAD_CONTENT_TYPE', `Content-Type: must be ${wanted}`);
  return encoding === 'identity' ? received : await inflated(received, claim);
}

/** Reads the bytes of a body as they come. @throws DomainError too_large beyond `limitBytes`; unavailable when memory is short */
export async function receiveBytes(request: IncomingMessage, limitBytes: number, claim: BodyClaim): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  return receive(request, limitBytes, claim);
}

/** Makes the refusal of a body that comes too slowly. */
const tooSlow = () =>
  new HttpProblem(400, 'BODY_TOO_SLOW', {
    message: `request: must arrive within ${BODY_LIMIT_MS / 1000} s`,
    headers: { connection: 'close' },
  });

/** It stands outside of `receive`, so that it holds nothing of a body: a request may live on. */
const ignore = () => undefined;

/** The loop uses neither `for await` nor `pipeline`: both destroy the connection when they stop early. */
function receive(request: IncomingMessage, limit: number, claim: BodyClaim): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      endWatch();
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      request.on('error', ignore);
      request.resume();
      outcome();
      // The request may live much longer: its client sends the rest of what was refused.
      chunks.length = 0;
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > limit) throw tooLarge();
        claim.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)));
    const onGone = () =>
      settle(() => reject(new DomainError('cancelled', 'CALLER_LEFT', 'The body did not arrive completely')));
    const timer = setTimeout(() => settle(() => reject(tooSlow())), BODY_LIMIT_MS);
    const endWatch = watchStall(request, (stalled) => settle(() => reject(stalled)));
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Returns the size that a gzip file says it has (RFC 1952, 2.3.1); one of several members says that of its last. */
const saidSize = (compressed: Buffer): number =>
  compressed.length < 18 ? 0 : compressed.readUInt32LE(compressed.length - 4);

/** Takes the memory that the body says it needs, and that of the largest where it needs more. */
async function inflated(compressed: Buffer, claim: BodyClaim): Promise<Buffer> {
  const saidBytes = Math.min(Math.max(saidSize(compressed), 1), BODY_MAX_BYTES);
  claim.take(saidBytes);
  try {
    return await inflate(compressed, { maxOutputLength: saidBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw badGzip();
    if (saidBytes === BODY_MAX_BYTES) throw tooLarge();
  }
  claim.take(BODY_MAX_BYTES - saidBytes);
  return await inflate(compressed, { maxOutputLength: BODY_MAX_BYTES }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : badGzip();
  });
}
