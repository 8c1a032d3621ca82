import type { ErrorKind } from './error-kinds.ts';

/** A consumer does this with a message whose handling failed. */
type FailureVerdict = 'drop' | 'ack' | 'retry' | 'retry_later';

export type StatusRow = {
  /** Name of the status code. */
  readonly grpc: string;
  /** The statuses are those of docs/reference/requests-and-errors.md#status-codes. */
  readonly http: 400 | 401 | 403 | 404 | 412 | 413 | 429 | 499 | 500 | 503;
  readonly bus: FailureVerdict;
};

/**
 * This one table says what an error kind means, with the HTTP statuses folded as
 * docs/reference/requests-and-errors.md#status-codes rules: 409 and 501 become 400, 504 becomes 503. `too_large` travels as
 * OUT_OF_RANGE with its own reason prefix, because gRPC has no code for 413.
 */
export const ERROR_TABLE = {
  invalid_argument: { grpc: 'INVALID_ARGUMENT', http: 400, bus: 'drop' },
  out_of_range: { grpc: 'OUT_OF_RANGE', http: 400, bus: 'drop' },
  failed_precondition: { grpc: 'FAILED_PRECONDITION', http: 400, bus: 'drop' },
  unauthenticated: { grpc: 'UNAUTHENTICATED', http: 401, bus: 'drop' },
  permission_denied: { grpc: 'PERMISSION_DENIED', http: 403, bus: 'drop' },
  not_found: { grpc: 'NOT_FOUND', http: 404, bus: 'drop' },
  already_exists: { grpc: 'ALREADY_EXISTS', http: 400, bus: 'ack' },
  conflict: { grpc: 'ABORTED', http: 400, bus: 'retry' },
  changed: { grpc: 'FAILED_PRECONDITION', http: 412, bus: 'drop' },
  resource_exhausted: { grpc: 'RESOURCE_EXHAUSTED', http: 429, bus: 'retry_later' },
  too_large: { grpc: 'OUT_OF_RANGE', http: 413, bus: 'drop' },
  cancelled: { grpc: 'CANCELLED', http: 499, bus: 'retry' },
  unimplemented: { grpc: 'UNIMPLEMENTED', http: 400, bus: 'drop' },
  unavailable: { grpc: 'UNAVAILABLE', http: 503, bus: 'retry' },
  deadline_exceeded: { grpc: 'DEADLINE_EXCEEDED', http: 503, bus: 'retry' },
  internal: { grpc: 'INTERNAL', http: 500, bus: 'retry' },
} as const satisfies Record<ErrorKind, StatusRow>;
