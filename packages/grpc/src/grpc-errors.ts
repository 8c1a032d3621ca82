import { DomainError, ERROR_KINDS, ERROR_TABLE, type ErrorKind, received, toDomainError } from '@catchment/errors';
import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';

const KIND_KEY = 'x-error-kind';
const REASON_KEY = 'x-error-reason';
const RETRY_KEY = 'x-error-retry-after-seconds';
const REVISION_KEY = 'x-error-revision';

/** A domain error travels like this: in the trailers of a call, or as a message where several calls share a stream. */
export type Failure = {
  readonly kind: string;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
  readonly revision?: number | undefined;
};

/** Returns the part of an error that a caller may see. `internal` shows the fixed text only; the cause is the service's to log. */
export const toFailure = (error: unknown): Failure => {
  const { kind, reason, message, retryAfterSeconds, revision } = toDomainError(error);
  return {
    kind,
    reason,
    message,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(revision !== undefined && { revision }),
  };
};

/** One of a kind that only a newer peer knows is `internal`. */
export function fromFailure({ kind, reason, message, ...more }: Failure, cause?: unknown): DomainError {
  const { retryAfterSeconds, revision } = more;
  return received({ kind: isKind(kind) ? kind : 'internal', reason, message }, { cause, retryAfterSeconds, revision });
}

/** The status of a call that fails with an error. */
export const grpcCode = (error: unknown): number => status[ERROR_TABLE[toDomainError(error).kind].grpc];

/** Returns what a gRPC handler answers for an error. */
export function toGrpcStatus(error: unknown): Partial<StatusObject> {
  const { kind, reason, message, retryAfterSeconds, revision } = toFailure(error);
  const metadata = new Metadata();
  metadata.set(KIND_KEY, kind);
  metadata.set(REASON_KEY, reason);
  if (retryAfterSeconds !== undefined) metadata.set(RETRY_KEY, String(retryAfterSeconds));
  if (revision !== undefined) metadata.set(REVISION_KEY, String(revision));
  // Metadata and details travel in headers: percent-encoding of details is done by grpc-js.
  return { code: grpcCode(error), details: message, metadata };
}

/** Turns an error of a gRPC client into a domain error; errors of the transport itself become `unavailable` or by their code. */
export function fromGrpcError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!isServiceError(error)) return toDomainError(error);
  const kind = error.metadata?.get(KIND_KEY)[0];
  if (typeof kind === 'string' && isKind(kind)) {
    const reason = String(error.metadata.get(REASON_KEY)[0] ?? 'UNKNOWN');
    const wholeOf = (key: string) => {
      const value = Number(error.metadata.get(key)[0] ?? Number.NaN);
      return Number.isSafeInteger(value) ? value : undefined;
    };
    const numbers = { retryAfterSeconds: wholeOf(RETRY_KEY), revision: wholeOf(REVISION_KEY) };
    return fromFailure({ kind, reason, message: error.details, ...numbers }, error);
  }
  const ownKind = isCutOff(error) ? 'unavailable' : kindOfCode(error.code);
  const text =
    ownKind === 'unavailable' || ownKind === 'deadline_exceeded' ? 'Service temporarily unavailable' : error.details;
  return received({ kind: ownKind, reason: status[error.code] ?? 'UNKNOWN', message: text }, { cause: error });
}

function isServiceError(error: unknown): error is ServiceError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'details' in error &&
    'code' in error &&
    typeof error.code === 'number'
  );
}

/** The connection ended without an answer; the library takes that for a fault of the peer. */
const isCutOff = ({ code, details }: ServiceError): boolean =>
  code === status.INTERNAL && details.startsWith('Received RST_STREAM with code 0');

const isKind = (text: string): text is ErrorKind => (ERROR_KINDS as readonly string[]).includes(text);

function kindOfCode(code: status): ErrorKind {
  return ERROR_KINDS.find((kind) => kind !== 'too_large' && status[ERROR_TABLE[kind].grpc] === code) ?? 'internal';
}
