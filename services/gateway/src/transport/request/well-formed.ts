import type { IncomingMessage } from 'node:http';
import { STORABLE_TEXT } from '@catchment/ids';
import { HttpProblem } from '../response/problem.ts';

const unmet = new WeakSet<IncomingMessage>();

/** Marks a request with an unknown `Expect` header: it gets an answer of ours, not Node's. */
export const noteExpectation = (request: IncomingMessage): void => {
  unmet.add(request);
};

/** Matches a host with an optional port, as far as no part of it could mean anything else (RFC 9112, 3.2). */
const HOST = /^[^\s/?#@\\,]*$/;

/**
 * Refuses requests that Node would answer without a body, or accept: each is 400 (docs/reference/requests-and-errors.md#status-codes).
 * @throws HttpProblem 400
 */
export function checkWellFormed(request: IncomingMessage): void {
  if (unmet.has(request)) throw bad('Expect: must be 100-continue');
  const names = request.rawHeaders.filter((_, n) => n % 2 === 0);
  const hosts = names.filter((name) => name.toLowerCase() === 'host').length;
  if (hosts > 1) throw bad('Host: must be given once');
  if (hosts === 0 && request.httpVersion === '1.1') throw bad('Host: must be given');
  if (!HOST.test(request.headers.host ?? '')) throw bad('Host: must be a host name or address with an optional port');
  if (request.url?.split('?', 1)[0]?.includes('%00')) throw bad(`path: must be ${STORABLE_TEXT}`);
}

/** Further bytes of the connection could be misread as another request. */
const bad = (message: string) => new HttpProblem(400, 'BAD_REQUEST', { message, headers: { connection: 'close' } });
