import { DomainError, ERROR_KINDS, ERROR_TABLE, received } from '@catchment/errors';
import { Metadata, status } from '@grpc/grpc-js';
import { fromGrpcError, toGrpcStatus } from './grpc-errors.ts';

test.each(ERROR_KINDS)('the status of %s is one of gRPC', (kind) => {
  expect(toGrpcStatus(received({ kind, reason: 'A_REASON', message: 'x' })).code).toBe(status[ERROR_TABLE[kind].grpc]);
  expect(status[ERROR_TABLE[kind].grpc]).toBeGreaterThan(0);
});

test.each(ERROR_KINDS.map((kind) => [kind]))('%s survives a gRPC hop with kind, reason and message', (kind) => {
  const sent = toGrpcStatus(received({ kind, reason: 'A_REASON', message: 'name: must be given, Ünï' }));
  const caught = Object.assign(new Error('x'), { code: sent.code, details: sent.details, metadata: sent.metadata });
  expect(fromGrpcError(caught)).toMatchObject({ kind, reason: 'A_REASON', message: 'name: must be given, Ünï' });
});

test('when to try again survives a gRPC hop; without it there is none', () => {
  const hop = (error: DomainError) => {
    const { code, details, metadata } = toGrpcStatus(error);
    return fromGrpcError(Object.assign(new Error('x'), { code, details, metadata }));
  };
  const changed = new DomainError('changed', 'REVISION_CHANGED', 'no', { revision: 4_711 });
  expect(hop(changed)).toMatchObject({ kind: 'changed', revision: 4_711 });
  const limited = new DomainError('resource_exhausted', 'TOO_MANY_REQUESTS', 'Too many', { retryAfterSeconds: 900 });
  expect(hop(limited)).toMatchObject({ kind: 'resource_exhausted', retryAfterSeconds: 900 });
  expect(hop(new DomainError('resource_exhausted', 'TOO_MANY_REQUESTS', 'Too many')).retryAfterSeconds).toBeUndefined();
});

test('an unknown error shows nothing of its cause', () => {
  expect(JSON.stringify(toGrpcStatus(new Error('password is hunter2')))).not.toContain('hunter2');
});

test.each([
  [status.UNAVAILABLE, 'connect ECONNREFUSED 10.0.0.1:1'],
  [status.INTERNAL, 'Received RST_STREAM with code 0 (Call ended without gRPC status)'],
])('a lost connection (%i) is unavailable and does not show the address', (code, details) => {
  const lost = Object.assign(new Error('x'), { code, details, metadata: new Metadata() });
  expect(fromGrpcError(lost)).toMatchObject({ kind: 'unavailable', message: 'Service temporarily unavailable' });
});
