import { DomainError } from '@catchment/errors';
import { backoffMs, MAX_PROGRAM_FAILURES, MAX_UNKNOWN_FAILURES, RetryAfter, verdictOf } from './index.ts';

test.each([
  [
    'a store that is away is waited for without end',
    new DomainError('unavailable', 'PEER_UNAVAILABLE', 'x'),
    1_000,
    'retry',
  ],
  [
    'too slow is tried again without end',
    new DomainError('deadline_exceeded', 'DEADLINE_EXCEEDED', 'x'),
    1_000,
    'retry',
  ],
  ['somebody was faster: again', new DomainError('conflict', 'DATABASE_CONFLICT', 'x'), 1, 'retry'],
  ['over a quota: later', new DomainError('resource_exhausted', 'TOO_MANY_REQUESTS', 'x'), 1, 'retry'],
  ['it exists already: done', new DomainError('already_exists', 'NOT_UNIQUE', 'x'), 1, 'ack'],
  ['bad content: put aside at once', new DomainError('invalid_argument', 'INVALID_ARGUMENT', 'x'), 1, 'dead_letter'],
  ['unknown error, first time', new Error('x'), 1, 'retry'],
  ['a program fails at it, first time', new TypeError('x'), 1, 'retry'],
  ['a program fails at it again', new TypeError('x'), MAX_PROGRAM_FAILURES, 'dead_letter'],
  ['nobody answers', new TypeError('fetch failed', { cause: new Error('x') }), MAX_PROGRAM_FAILURES, 'retry'],
  ['unknown error, last time', new Error('x'), MAX_UNKNOWN_FAILURES, 'dead_letter'],
] as const)('%s', (_what, error, deliveries, kind) => {
  expect(verdictOf(error, deliveries).kind).toBe(kind);
});

test.each([
  [1, 250],
  [2, 500],
  [5, 4_000],
  [7, 5_000],
  [100_000, 5_000],
])('delivery %i waits %i ms', (deliveries, ms) => {
  expect(backoffMs(deliveries)).toBe(ms);
});

test('a handler may say when it wants the message again', () => {
  expect(verdictOf(new RetryAfter(300_000), 1_000)).toEqual({ kind: 'retry', delayMs: 300_000 });
});
