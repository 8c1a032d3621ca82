import {
  DomainError,
  ERROR_KINDS,
  ERROR_TABLE,
  invalid,
  isContentFault,
  REASONS,
  toDomainError,
  unavailable,
} from './index.ts';

test.each([
  ['invalid_argument', 'INVALID_ARGUMENT', 400, 'drop'],
  ['out_of_range', 'OUT_OF_RANGE', 400, 'drop'],
  ['failed_precondition', 'FAILED_PRECONDITION', 400, 'drop'],
  ['unauthenticated', 'UNAUTHENTICATED', 401, 'drop'],
  ['permission_denied', 'PERMISSION_DENIED', 403, 'drop'],
  ['not_found', 'NOT_FOUND', 404, 'drop'],
  ['already_exists', 'ALREADY_EXISTS', 400, 'ack'],
  ['conflict', 'ABORTED', 400, 'retry'],
  ['resource_exhausted', 'RESOURCE_EXHAUSTED', 429, 'retry_later'],
  ['too_large', 'OUT_OF_RANGE', 413, 'drop'],
  ['cancelled', 'CANCELLED', 499, 'retry'],
  ['unimplemented', 'UNIMPLEMENTED', 400, 'drop'],
  ['unavailable', 'UNAVAILABLE', 503, 'retry'],
  ['deadline_exceeded', 'DEADLINE_EXCEEDED', 503, 'retry'],
  ['internal', 'INTERNAL', 500, 'retry'],
] as const)('%s is gRPC %s, HTTP %i and bus %s', (kind, grpc, http, bus) => {
  expect(ERROR_TABLE[kind]).toEqual({ grpc, http, bus });
});

test('an unknown error becomes internal with a fixed text and keeps its cause', () => {
  const cause = new Error('password is hunter2');
  expect(toDomainError(cause)).toMatchObject({ kind: 'internal', message: 'Internal server error', cause });
});

test('a reason that is not in the list, or is of another kind, does not compile', () => {
  // @ts-expect-error -- misspelt
  invalid('INVALID_ARGUMNET', 'x');
  // @ts-expect-error -- of invalid_argument
  unavailable('INVALID_ARGUMENT');
  // @ts-expect-error -- of not_found
  new DomainError('conflict', 'NOT_FOUND', 'x');
  expect(new DomainError('conflict', 'DATABASE_CONFLICT', 'x').reason).toBe('DATABASE_CONFLICT');
});

test.each(ERROR_KINDS)('reasons of %s are words for programs with a sentence for people', (kind) => {
  for (const [reason, when] of Object.entries(REASONS[kind])) {
    expect(reason).toMatch(/^[A-Z][A-Z_]+$/);
    expect(when).toMatch(/^[`A-Z].*[^.]$/);
  }
});

test.each([
  ['an argument that is wrong', invalid('INVALID_ARGUMENT', 'x'), true],
  ['what a program cannot read', new TypeError('x is undefined'), true],
  ['the same, wrapped', toDomainError(new RangeError('x')), true],
  ['a host that does not answer', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), false],
  ['an outage', unavailable('DATABASE_UNAVAILABLE'), false],
  ['somebody who was faster', new DomainError('conflict', 'DATABASE_CONFLICT', 'x'), false],
  ['what exists already', new DomainError('already_exists', 'NOT_UNIQUE', 'x'), false],
  ['what nobody knows', new Error('x'), false],
])('whether the content is at fault: %s', (_what, error, expected) => {
  expect(isContentFault(error)).toBe(expected);
});
