import type { IncomingMessage } from 'node:http';
import { invalid, tooLarge } from '@catchment/errors';

/** A file of 100 MiB with the texts around it (semantics 20). */
const UPLOAD_MAX_BYTES = 101 * 1024 * 1024;
/** RFC 2046, 5.1.1; quoted or not. */
const MULTIPART = /^multipart\/form-data\s*;(.*;)?\s*boundary=("[^"]{1,70}"|[^\s;"]{1,70})\s*(;|$)/i;

/**
 * Step 8 of semantics 1.3 for a body that is streamed: what its headers say.
 * @throws DomainError invalid_argument, too_large
 */
export function checkUploadHeaders({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > UPLOAD_MAX_BYTES) throw tooLarge();
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    throw invalid('BAD_ENCODING', 'Content-Encoding: must be identity for a file');
  if (!MULTIPART.test(headers['content-type'] ?? ''))
    throw invalid('BAD_CONTENT_TYPE', 'Content-Type: must be multipart/form-data with a boundary');
}
