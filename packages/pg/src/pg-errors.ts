import { DomainError, type ErrorKind, type ReasonOf, received, toDomainError } from '@catchment/errors';

const REASON_OF = {
  invalid_argument: 'CONTENT_REFUSED',
  already_exists: 'NOT_UNIQUE',
  failed_precondition: 'DATABASE_FAILED_PRECONDITION',
  conflict: 'DATABASE_CONFLICT',
  deadline_exceeded: 'DATABASE_DEADLINE_EXCEEDED',
  unavailable: 'DATABASE_UNAVAILABLE',
  internal: 'INTERNAL',
} as const satisfies { readonly [K in ErrorKind]?: ReasonOf<K> };

/** These codes of PostgreSQL (its manual, appendix A) have a meaning for callers; a class matches by its first two letters. */
const KIND_OF_CODE: Readonly<Record<string, keyof typeof REASON_OF>> = {
  '23505': 'already_exists',
  '23503': 'failed_precondition',
  '40001': 'conflict',
  '40P01': 'conflict',
  '57014': 'deadline_exceeded',
  '53300': 'unavailable',
  '55P03': 'unavailable',
  // The server ends a session that was idle in its transaction for too long.
  '25P03': 'unavailable',
  // A statement that changes something came to a standby, or to a server that has just become one.
  '25006': 'unavailable',
  '08': 'unavailable',
  // Its disk or its memory is full, or its system fails.
  '53': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
  // The content that was sent is at fault, and will be at every try: a text or a number that a type cannot hold, one
  // that is too long for an index, a column that must not be empty.
  '22': 'invalid_argument',
  // A division by zero is a statement's own.
  '22012': 'internal',
  '23502': 'invalid_argument',
  '23514': 'invalid_argument',
  '54': 'invalid_argument',
};
const TEXT_OF: Partial<Record<keyof typeof REASON_OF, string>> = {
  already_exists: 'must be unique',
  invalid_argument: 'request: must hold no text, number or time that cannot be kept or compared',
};
/** PostgreSQL ended such a transaction in favour of another one: it is worth another try. */
export const CONTENTION = REASON_OF.conflict;
/** The connection of such a statement is of no more use, or could not be had. */
const CONNECTION_LOST = REASON_OF.unavailable;
/** Such a statement was given up, since PostgreSQL answers nobody. */
export const SILENT = 'DATABASE_SILENT' satisfies ReasonOf<'unavailable'>;
/** Errors of the socket, before PostgreSQL says anything. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** It is starting, or ends. */
const CANNOT_CONNECT_NOW = '57P03';

/** Returns a driver error as a domain error, the original kept as cause; domain errors pass unchanged. */
export function mapPgError(error: unknown): DomainError {
  if (error instanceof DomainError || typeof error !== 'object' || error === null) return toDomainError(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error ? String(error.message) : '';
  const kind =
    KIND_OF_CODE[code] ??
    KIND_OF_CODE[code.slice(0, 2)] ??
    (isConnectionLoss(message, code) || isSessionLoss(error, code) ? 'unavailable' : undefined);
  if (!kind || kind === 'internal') return toDomainError(error);
  const text = TEXT_OF[kind] ?? 'Service temporarily unavailable';
  return received({ kind, reason: REASON_OF[kind], message: text }, { cause: error });
}

/** Returns whether a connection is of no more use after an error, or what becomes of it is not known. */
export const isSpoilt = ({ kind, reason }: DomainError): boolean =>
  kind === 'internal' || reason === CONNECTION_LOST || reason === SILENT;

/** Returns whether the driver waited in vain: anything else is an answer of PostgreSQL or of its machine. */
export const isSilence = (error: unknown): boolean =>
  error instanceof DomainError
    ? error.reason === SILENT || isSilence(error.cause)
    : error instanceof Error && /timeout/i.test(error.message) && !('severity' in error);

/** Returns whether a connection came to no server that could have said anything about us. */
export const isNoServer = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === CANNOT_CONNECT_NOW || NETWORK_CODES.has(String(error.code)))) ||
    /Connection terminated/.test(error.message));

/** No room on the server's disk; what it says then names a file of it. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53100';

/** Returns the unique index that refused a statement, as PostgreSQL names it. */
export const brokenIndex = (error: unknown): string | undefined =>
  error instanceof DomainError && error.kind === 'already_exists'
    ? (error.cause as { constraint?: string } | undefined)?.constraint
    : undefined;

function isConnectionLoss(message: string, code: string): boolean {
  return (
    NETWORK_CODES.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|Query read timeout/.test(
      message,
    )
  );
}

/** Accepts an internal error that ends the session, or lets none begin, as on a full disk: it is the server's, whatever was sent. */
const isSessionLoss = (error: object, code: string): boolean =>
  code.startsWith('XX') && 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC');
