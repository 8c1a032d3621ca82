import type { IncomingMessage } from 'node:http';
import { type DomainError, invalid } from '@catchment/errors';

/** Returns the encoding of a body by its `Content-Encoding` (docs/reference/requests-and-errors.md#headers). */
export function encodingOf(request: IncomingMessage): 'gzip' | 'identity' | 'unknown' {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  return encoding === 'gzip' || encoding === 'identity' ? encoding : 'unknown';
}

export const badEncoding = (): DomainError => invalid('BAD_ENCODING', 'Content-Encoding: must be gzip or identity');
export const badGzip = (): DomainError =>
  invalid('BAD_GZIP', 'body: must be valid gzip data, as Content-Encoding says');
