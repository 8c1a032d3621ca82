import type { ErrorKind } from './error-kinds.ts';
import type { Reason, ReasonOf } from './reasons.ts';

type Options = ErrorOptions & {
  readonly retryAfterSeconds?: number | undefined;
  readonly revision?: number | undefined;
};
type Arguments = {
  [K in ErrorKind]: [kind: K, reason: ReasonOf<K>, message: string, options?: Options | undefined];
}[ErrorKind];

/**
 * A caller may see this error. `kind` decides statuses (see `ERROR_TABLE`), `reason` is a stable UPPER_SNAKE word for
 * programs (see `REASONS`), `message` a sentence for people that names the argument and the rule.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly reason: Reason;
  /** The caller tries again after this time, where it is known; whole seconds. */
  readonly retryAfterSeconds?: number;
  /** The subject of the request has changed: this is its present revision. */
  readonly revision?: number;

  constructor(...[kind, reason, message, options]: Arguments) {
    super(message, options);
    if (options?.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
    if (options?.revision !== undefined) this.revision = options.revision;
    this.name = 'DomainError';
    this.kind = kind;
    this.reason = reason;
  }
}

/** The request is malformed whatever the state: HTTP 400. */
export const invalid = (reason: ReasonOf<'invalid_argument'>, message: string): DomainError =>
  new DomainError('invalid_argument', reason, message);

/**
 * The thing does not exist, or not for this caller: HTTP 404. The text is fixed so that nothing leaks
 * (docs/reference/requests-and-errors.md#error-body), but for the reference that the caller has sent among several
 * (docs/reference/query-arguments.md#params).
 */
export const notFound = ({
  reference,
  ...options
}: ErrorOptions & { readonly reference?: string } = {}): DomainError => {
  const text = 'Requested resource not found';
  return new DomainError('not_found', 'NOT_FOUND', reference === undefined ? text : `${text}: ${reference}`, options);
};

/** Returns the result of `find`; its `not_found` names the reference that the caller has sent. @throws as `find` does */
export function naming<T>(reference: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof DomainError && error.kind === 'not_found' ? notFound({ reference }) : error;
  }
}

/** Known, but not allowed: HTTP 403. */
export const notPermitted = (message = 'Not permitted'): DomainError =>
  new DomainError('permission_denied', 'NOT_PERMITTED', message);

/** Request or answer over a limit: HTTP 413 (docs/reference/reading.md#too-large-or-too-slow). */
export const tooLarge = (message = 'Request or response too large'): DomainError =>
  new DomainError('too_large', 'TOO_LARGE', message);

/** A dependency is away, or there is too much work: HTTP 503, worth retrying. */
export const unavailable = (
  reason: ReasonOf<'unavailable'>,
  { message = 'Service temporarily unavailable', ...options }: ErrorOptions & { readonly message?: string } = {},
): DomainError => new DomainError('unavailable', reason, message, options);

/** Returns the domain error itself, or `internal` around anything unknown, with the original as `cause`. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return new DomainError('internal', 'INTERNAL', 'Internal server error', { cause: error });
}

/** Rebuilds an error that another process raised or that was stored: its reason may be of another version. */
export const received = (
  { kind, reason, message }: { readonly kind: ErrorKind; readonly reason: string; readonly message: string },
  options?: Options,
): DomainError => new DomainError(...([kind, reason, message, options] as Arguments));
