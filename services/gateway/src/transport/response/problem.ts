import { DomainError, ERROR_TABLE, type Reason, toDomainError } from '@catchment/errors';
import { busyText } from './busy-text.ts';
import { FAILURES, type FailureStatus } from './failures.ts';

/** HTTP shows such a failure. */
export class HttpProblem extends Error {
  readonly status: FailureStatus;
  readonly reason: Reason;
  readonly headers: Readonly<Record<string, string>>;
  /** Revision that the resource has now; only for 412. */
  readonly revision: number | undefined;

  constructor(
    status: FailureStatus,
    reason: Reason,
    options: {
      message?: string;
      headers?: Record<string, string>;
      revision?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(options.message || FAILURES[status].message, { cause: options.cause });
    this.name = 'HttpProblem';
    this.status = status;
    this.reason = reason;
    this.revision = options.revision;
    this.headers = status === 503 ? { 'retry-after': '30', ...options.headers } : (options.headers ?? {});
  }
}

/**
 * Any error → the failure to answer. `isSlowTooLarge`: an answer that is too slow means that too much was requested (historic reads, charts:
 * docs/reference/requests-and-errors.md#status-codes), otherwise it is 503.
 */
export function toProblem(error: unknown, options: { isSlowTooLarge?: boolean } = {}): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof DomainError) return ofDomainError(error, options.isSlowTooLarge === true);
  const status = frameworkStatus(error);
  if (status === 413) return new HttpProblem(413, 'TOO_LARGE', { cause: error });
  if (status === 415) {
    return new HttpProblem(400, 'BAD_CONTENT_TYPE', {
      message: 'Content-Type: must be application/json',
      cause: error,
    });
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new HttpProblem(400, 'BAD_REQUEST', { message: 'request: must be well-formed HTTP', cause: error });
  }
  return new HttpProblem(500, 'INTERNAL', { cause: toDomainError(error) });
}

/** Texts of these reasons say what to do. Texts of all others are about what a peer needs itself. */
const FOR_CALLERS: ReadonlySet<Reason> = new Set(['BODY_MEMORY_FULL', 'NO_CHROMIUM']);

function ofDomainError(error: DomainError, isSlowTooLarge: boolean): HttpProblem {
  const { kind, reason, message } = error;
  if (kind === 'deadline_exceeded') {
    // The answer itself was too slow. Whatever else took too long, such as finding out who asks, hangs, however little is asked for.
    return isSlowTooLarge && reason === 'TOO_SLOW'
      ? new HttpProblem(413, 'TOO_SLOW', { cause: error })
      : new HttpProblem(503, 'TIMEOUT', { cause: error });
  }
  // A cancelled call whose client is still there: the peer gave up, for example because it stops.
  if (kind === 'cancelled') return new HttpProblem(503, 'CANCELLED', { cause: error });
  if (kind === 'unavailable')
    return new HttpProblem(503, reason, {
      message: FOR_CALLERS.has(reason) ? message : (busyText(reason) ?? ''),
      cause: error,
    });
  if (kind === 'resource_exhausted') {
    if (isOfTransport(error)) return new HttpProblem(503, 'OVERLOADED', { cause: error });
    const headers = { 'retry-after': String(error.retryAfterSeconds ?? 30) };
    return new HttpProblem(429, reason, { message, headers, cause: error });
  }
  // `unauthenticated` of a peer is about our own signature: callers were authenticated before.
  if (kind === 'internal' || kind === 'unauthenticated' || isOfTransport(error)) {
    return new HttpProblem(500, 'INTERNAL', { cause: error });
  }
  return new HttpProblem(ERROR_TABLE[kind].http, reason, { message, revision: error.revision, cause: error });
}

/**
 * True where gRPC itself failed the call: the peer's handler never judged it, and the text is not meant for clients.
 * Our handlers always name the error's kind in the trailing metadata.
 */
function isOfTransport(error: DomainError): boolean {
  const { cause } = error;
  if (typeof cause !== 'object' || cause === null || !('metadata' in cause)) return false;
  const { metadata } = cause as { metadata?: { get(name: string): unknown[] } };
  return metadata?.get('x-error-kind').length === 0;
}

function frameworkStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** The body in docs/reference/requests-and-errors.md#error-body. */
export const problemBody = (problem: HttpProblem): Buffer =>
  Buffer.from(
    // The attribute is left out where there is none.
    JSON.stringify({
      error: { code: problem.status, message: problem.message, reason: problem.reason, revision: problem.revision },
    }),
    'utf8',
  );
