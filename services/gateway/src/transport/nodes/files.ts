import { Readable } from 'node:stream';
import type { File } from '@catchment/contracts/files';
import { notFound } from '@catchment/errors';
import type { FileLinks, FileVariant } from '@catchment/file-links';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import type { Logger } from '@catchment/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, byteRangeOf } from '../../domain/byte-range.ts';
import { clientAddress } from '../../domain/client-address.ts';
import { contentDisposition } from '../../domain/content-disposition.ts';
import type { FixedWindow } from '../../domain/fixed-window.ts';
import { matchesEtag } from '../../domain/negotiation.ts';
import type { Peers } from '../../usecases/ports.ts';
import { parseQuery, rawQueryOf } from '../request/query.ts';
import { HttpProblem, toProblem } from '../response/problem.ts';
import { refuse } from '../response/refuse.ts';
import { CALL_MS } from '../routing/api-call.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import * as docs from './attachments-docs.ts';
import { fileProblemPage } from './file-problem-page.ts';

export type FileDeps = {
  readonly files: Peers['files'];
  readonly links: FileLinks;
  readonly signer: CallerSigner;
  /** Counts by client address (docs/reference/requests-and-errors.md#rate-limits); undefined where the limit is off. */
  readonly requests: FixedWindow | undefined;
  readonly now: () => number;
  readonly log: Logger;
};

/** No file runs or loads anything here. Viewers of PDFs do not open in a sandbox. */
export const FILE_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Serves files by their signed links (docs/reference/attachments.md#file-links), without a key. */
export function addFiles(app: FastifyInstance, deps: FileDeps): void {
  const variants = {
    '/files/:id': ['file', docs.getFile],
    '/files/:id/preview': ['preview', docs.getPreview],
  } as const;
  for (const [url, [variant, schema]] of Object.entries(variants)) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        await sendFile(deps, variant, request, reply);
      } catch (error) {
        await refuse(deps.log, request, reply, toProblem(error), fileProblemPage);
      }
      return reply;
    };
    app.route({ method: 'GET', url, schema, handler });
    app.route({ method: 'HEAD', url, schema: { hide: true }, handler });
    definePathEnds(app, url, ['GET'], false);
  }
}

async function sendFile(deps: FileDeps, variant: FileVariant, request: FastifyRequest, reply: FastifyReply) {
  countRequest(deps, request);
  await sendFileOf(deps, { nodeId: checkedNode(deps, variant, request), variant }, request, reply);
}

/** Pictures that browsers show by themselves. */
const SHOWN = /^image\/(png|jpeg|gif|webp|bmp|svg\+xml|avif)$/;

/**
 * Sends the file of an attachment whose reader was let in before, or a part of it.
 * @param what.variant `picture`: the file where browsers can show it, else its preview
 */
export async function sendFileOf(
  deps: Pick<FileDeps, 'files' | 'signer'>,
  what: { readonly nodeId: string; readonly variant: FileVariant | 'picture' },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { nodeId } = what;
  const token = await deps.signer.sign({ kind: 'service', service: 'gateway' });
  const options = { token, signal: request.call.signal, timeoutMs: CALL_MS };
  const file = await deps.files.getFile({ nodeId }, options);
  const variant = what.variant === 'picture' ? (SHOWN.test(file.mimeType) ? 'file' : 'preview') : what.variant;
  const content = contentOf(file, variant);
  const etag = `"${file.fileId}${variant === 'preview' ? '-preview' : ''}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache').header('accept-ranges', 'bytes');
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
    return;
  }
  const range = rangeOf(request, etag, content.size);
  const { first, last } = range ?? { first: 0, last: content.size - 1 };
  reply.header('content-disposition', contentDisposition(content.type, content.name));
  if (content.type !== 'application/pdf') reply.header('content-security-policy', FILE_POLICY);
  if (range) reply.header('content-range', `bytes ${first}-${last}/${content.size}`);
  reply
    .header('content-type', content.type)
    .header('content-length', last - first + 1)
    .code(range ? 206 : 200);
  if (request.method === 'HEAD') {
    reply.send();
    return;
  }
  const bytes = segmentsOf(deps, file, variant, { first, last }, options);
  // Bytes that are gone are an error answer, not a broken connection.
  const start = await bytes.next();
  const rest = async function* () {
    if (!start.done) yield start.value;
    yield* bytes;
  };
  reply.send(Readable.from(request.call.partsOf(rest()), { objectMode: false, highWaterMark: 64 * 1024 }));
}

/** @throws HttpProblem 429 */
function countRequest({ requests, now }: FileDeps, request: FastifyRequest): void {
  const usage = requests?.take(clientAddress(request.ip));
  if (!usage?.isOver) return;
  const seconds = Math.max(1, Math.ceil((usage.resetMs - now()) / 1000));
  throw new HttpProblem(429, 'TOO_MANY_REQUESTS', { headers: { 'retry-after': String(seconds) } });
}

/** Returns the node that the link opens. @throws DomainError permission_denied */
function checkedNode({ links, now }: FileDeps, variant: FileVariant, request: FastifyRequest): string {
  const nodeId = (request.params as { id: string }).id.toLowerCase();
  const { expires = '', signature = '' } = parseQuery(rawQueryOf(request.raw.url ?? ''));
  links.check({ nodeId, variant, expires, signature }, now());
  return nodeId;
}

function contentOf(file: File, variant: FileVariant): { type: string; name: string; size: number } {
  if (variant === 'file') return { type: file.mimeType, name: file.fileName, size: file.size };
  if (file.previewSize === 0) throw notFound();
  return { type: 'image/jpeg', name: file.fileName.replace(/(\.[^.]*)?$/, '.jpg'), size: file.previewSize };
}

/** Finds the part that a GET asks for, if it is of the same bytes (RFC 9110, 13.1.5, 14.2). @throws HttpProblem 416 */
function rangeOf({ method, headers }: FastifyRequest, etag: string, size: number): ByteRange | undefined {
  if (method !== 'GET' || (headers['if-range'] !== undefined && headers['if-range'] !== etag)) return undefined;
  const range = byteRangeOf(headers.range, size);
  if (range !== 'unsatisfiable') return range;
  throw new HttpProblem(416, 'RANGE_NOT_SATISFIABLE', {
    message: `Range: must begin below ${size}`,
    headers: { 'content-range': `bytes */${size}` },
  });
}

/** The bytes of a range, one segment at a time, each read when the client has taken the one before. */
async function* segmentsOf(
  { files, signer }: Pick<FileDeps, 'files' | 'signer'>,
  { fileId, segmentBytes }: File,
  variant: FileVariant,
  { first, last }: ByteRange,
  options: CallOptions,
): AsyncGenerator<Buffer> {
  const preview = variant === 'preview';
  const step = preview ? last + 1 : segmentBytes;
  for (let index = Math.floor(first / step); index * step <= last; index += 1) {
    const token = await signer.sign({ kind: 'service', service: 'gateway' });
    const { data } = await files.readSegment({ fileId, index, preview }, { ...options, token });
    const begin = index * step;
    yield data.subarray(Math.max(first - begin, 0), last - begin + 1);
  }
}
