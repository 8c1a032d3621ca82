import { DomainError, unavailable } from '@catchment/errors';
import { toProblem } from './problem.ts';

test.each([
  ['TOO_MANY_LISTS', 'lists; ask for fewer at a time, or for parts of them by limit and skip'],
  ['TOO_MANY_READS', 'reads of records; ask for fewer at a time, or for shorter ranges'],
  ['TOO_MANY_CHANGES', 'changes of nodes; send fewer at a time'],
] as const)('a queue that was full says so and what to do: %s', (reason, text) => {
  const { status, headers, message } = toProblem(unavailable(reason));
  expect([status, headers]).toEqual([503, { 'retry-after': '30' }]);
  expect(message).toBe(`Service temporarily unavailable: the account’s turn did not come in time for so many ${text}`);
});

test('the text of another failure of a peer is not shown', () => {
  const { message } = toProblem(unavailable('DATABASE_UNAVAILABLE', { message: 'name: must be set' }));
  expect(message).toBe('Service temporarily unavailable');
});

test.each([
  ['an answer of records that does not begin in time', 'TOO_SLOW', true, 413, undefined],
  [
    'a call before it, such as the one that finds out who asks, that gets no answer',
    'DEADLINE_EXCEEDED',
    true,
    503,
    '30',
  ],
  ['a statement that PostgreSQL ends', 'DATABASE_DEADLINE_EXCEEDED', true, 503, '30'],
  ['any other answer that does not begin in time', 'TOO_SLOW', false, 503, '30'],
] as const)('%s: %s, slow is too large %s, is %i', (_what, reason, isSlowTooLarge, status, retryAfter) => {
  const problem = toProblem(new DomainError('deadline_exceeded', reason, 'x'), { isSlowTooLarge });
  expect([problem.status, problem.headers['retry-after']]).toEqual([status, retryAfter]);
});
