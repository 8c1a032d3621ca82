import { Metadata, status } from '@grpc/grpc-js';
import { DomainError, ERROR_KINDS, ERROR_TABLE, fromGrpcError, toDomainError, toGrpcStatus } from './index.ts';

test.each([
  ['invalid_argument', status.INVALID_ARGUMENT, 400, 'drop'],
  ['out_of_range', status.OUT_OF_RANGE, 400, 'drop'],
  ['failed_precondition', status.FAILED_PRECONDITION, 400, 'drop'],
  ['unauthenticated', status.UNAUTHENTICATED, 401, 'drop'],
  ['permission_denied', status.PERMISSION_DENIED, 403, 'drop'],
  ['not_found', status.NOT_FOUND, 404, 'drop'],
  ['already_exists', status.ALREADY_EXISTS, 400, 'ack'],
  ['conflict', status.ABORTED, 400, 'retry'],
  ['resource_exhausted', status.RESOURCE_EXHAUSTED, 429, 'retry_later'],
  ['too_large', status.OUT_OF_RANGE, 413, 'drop'],
  ['cancelled', status.CANCELLED, 499, 'retry'],
  ['unimplemented', status.UNIMPLEMENTED, 400, 'drop'],
  ['unavailable', status.UNAVAILABLE, 503, 'retry'],
  ['deadline_exceeded', status.DEADLINE_EXCEEDED, 503, 'retry'],
  ['internal', status.INTERNAL, 500, 'retry'],
] as const)('%s is gRPC %i, HTTP %i and bus %s', (kind, grpc, http, bus) => {
  expect(ERROR_TABLE[kind]).toEqual({ grpc, http, bus });
});

test.each(ERROR_KINDS.map((kind) => [kind]))('%s survives a gRPC hop with kind, reason and message', (kind) => {
  const sent = toGrpcStatus(new DomainError(kind, 'A_REASON', 'name: must be given, Ünï'));
  const received = Object.assign(new Error('x'), { code: sent.code, details: sent.details, metadata: sent.metadata });
  expect(fromGrpcError(received)).toMatchObject({ kind, reason: 'A_REASON', message: 'name: must be given, Ünï' });
});

test('when to try again survives a gRPC hop; without it there is none', () => {
  const hop = (error: DomainError) => {
    const { code, details, metadata } = toGrpcStatus(error);
    return fromGrpcError(Object.assign(new Error('x'), { code, details, metadata }));
  };
  const limited = new DomainError('resource_exhausted', 'TOO_MANY', 'Too many', { retryAfterSeconds: 900 });
  expect(hop(limited)).toMatchObject({ kind: 'resource_exhausted', retryAfterSeconds: 900 });
  expect(hop(new DomainError('resource_exhausted', 'TOO_MANY', 'Too many')).retryAfterSeconds).toBeUndefined();
});

test('an unknown error becomes internal with a fixed text and keeps its cause', () => {
  const cause = new Error('password is hunter2');
  const wrapped = toDomainError(cause);
  expect(wrapped).toMatchObject({ kind: 'internal', message: 'Internal server error', cause });
  expect(JSON.stringify(toGrpcStatus(cause))).not.toContain('hunter2');
});

test.each([
  [status.UNAVAILABLE, 'connect ECONNREFUSED 10.0.0.1:1'],
  [status.INTERNAL, 'Received RST_STREAM with code 0 (Call ended without gRPC status)'],
])('a lost connection (%i) is unavailable and does not show the address', (code, details) => {
  const lost = Object.assign(new Error('x'), { code, details, metadata: new Metadata() });
  expect(fromGrpcError(lost)).toMatchObject({ kind: 'unavailable', message: 'Service temporarily unavailable' });
});
