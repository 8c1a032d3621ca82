import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { DomainError, ERROR_KINDS, type ErrorKind, toDomainError } from './domain-error.ts';
import { ERROR_TABLE } from './error-table.ts';

const KIND_KEY = 'x-error-kind';
const REASON_KEY = 'x-error-reason';
const RETRY_KEY = 'x-error-retry-after-seconds';

/** Domain error → what a gRPC handler answers. `internal` shows the fixed text only; the cause is the server's to log. */
export function toGrpcStatus(error: unknown): Partial<StatusObject> {
  const known = toDomainError(error);
  const metadata = new Metadata();
  metadata.set(KIND_KEY, known.kind);
  metadata.set(REASON_KEY, known.reason);
  if (known.retryAfterSeconds !== undefined) metadata.set(RETRY_KEY, String(known.retryAfterSeconds));
  // Metadata and details travel in headers: percent-encoding of details is done by grpc-js.
  return { code: ERROR_TABLE[known.kind].grpc, details: known.message, metadata };
}

/** What a gRPC client caught → domain error; errors of the transport itself become `unavailable` or by their code. */
export function fromGrpcError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!isServiceError(error)) return toDomainError(error);
  const kind = error.metadata?.get(KIND_KEY)[0];
  const reason = error.metadata?.get(REASON_KEY)[0] ?? 'UNKNOWN';
  if (typeof kind === 'string' && isKind(kind)) {
    const seconds = Number(error.metadata.get(RETRY_KEY)[0] ?? Number.NaN);
    const retryAfterSeconds = Number.isSafeInteger(seconds) ? seconds : undefined;
    return new DomainError(kind, String(reason), error.details, { cause: error, retryAfterSeconds });
  }
  const ownKind = isCutOff(error) ? 'unavailable' : kindOfCode(error.code);
  const text =
    ownKind === 'unavailable' || ownKind === 'deadline_exceeded' ? 'Service temporarily unavailable' : error.details;
  return new DomainError(ownKind, status[error.code] ?? 'UNKNOWN', text, { cause: error });
}

/** A domain error out of the parts it was sent in; one of a kind that is not known here is `internal`. */
export function fromWire({ kind, reason, message }: { kind: string; reason: string; message: string }): DomainError {
  return new DomainError(isKind(kind) ? kind : 'internal', reason, message);
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
  return ERROR_KINDS.find((kind) => kind !== 'too_large' && ERROR_TABLE[kind].grpc === code) ?? 'internal';
}
