import type { IncomingMessage } from 'node:http';
import { invalid, tooLarge } from '@catchment/errors';
import { badEncoding, encodingOf } from './body-encoding.ts';

/** See docs/reference/limits.md. */
const FILE_MAX_BYTES = 100 * 1024 * 1024;
const IMPORT_MAX_BYTES = 250 * 1024 * 1024;
/** The texts around it. */
const FORM_BYTES = 1024 * 1024;
const UPLOAD_MAX_BYTES = FILE_MAX_BYTES + FORM_BYTES;
/** RFC 2046, 5.1.1; quotes optional. */
const MULTIPART = /^multipart\/form-data\s*;(.*;)?\s*boundary=("[^"]{1,70}"|[^\s;"]{1,70})\s*(;|$)/i;

/**
 * Step 8 in docs/reference/requests-and-errors.md#order-of-checks for a body that is streamed: what its headers say.
 * @param isImport its file may be larger than others
 * @throws DomainError invalid_argument, too_large
 */
export function checkUploadHeaders({ headers }: Pick<IncomingMessage, 'headers'>, isImport = false): void {
  const maxBytes = isImport ? IMPORT_MAX_BYTES + FORM_BYTES : UPLOAD_MAX_BYTES;
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    throw invalid('BAD_ENCODING', 'Content-Encoding: must be identity for a file');
  if (!MULTIPART.test(headers['content-type'] ?? ''))
    throw invalid('BAD_CONTENT_TYPE', 'Content-Type: must be multipart/form-data with a boundary');
}

/** Checks the same for a body that is a file itself, of any media type. @throws DomainError invalid_argument, too_large */
export function checkFileHeaders(request: IncomingMessage): void {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  // Packed it may be longer than it is, by a little.
  if (length > (encodingOf(request) === 'gzip' ? UPLOAD_MAX_BYTES : FILE_MAX_BYTES)) throw tooLarge();
  if (encodingOf(request) === 'unknown') throw badEncoding();
  if (length === 0 && headers['transfer-encoding'] === undefined) throw invalid('BODY_MISSING', 'body: must be sent');
}
