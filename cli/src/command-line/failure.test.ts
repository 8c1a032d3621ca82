import { CatchmentError, type ErrorFacts } from '@catchment/client';
import { DomainError } from '@catchment/errors';
import { CommanderError } from 'commander';
import { ApiError } from '../api/api-client.ts';
import { EXIT, EXIT_MEANINGS } from './exit-codes.ts';
import { failureOf, isAnswered, PartlyDone, UsageError } from './failure.ts';
import { Interrupted } from './interrupted.ts';

const client = (facts: ErrorFacts) => new CatchmentError('no', facts);
const api = (status: number) => new ApiError('GET /nodes', new Response(null, { status }), '');
const wrapped = (cause: unknown) => new Error('in the file', { cause });

test.each<[string, unknown, number, string]>([
  ['an option that is none', new CommanderError(1, 'commander.unknownOption', 'error: no'), EXIT.USAGE, 'USAGE'],
  ['a value that is none', new UsageError('no'), EXIT.USAGE, 'USAGE'],
  [
    'a value of an option that a package refuses',
    new DomainError('invalid_argument', 'INVALID_TIME', '--start must be a time'),
    EXIT.USAGE,
    'INVALID_TIME',
  ],
  ['an argument that the client refuses', client({ kind: 'argument' }), EXIT.USAGE, 'USAGE'],
  ['an argument that the server refuses', client({ kind: 'argument', status: 400, reason: 'INVALID' }), 1, 'INVALID'],
  ['a wrong key', client({ kind: 'authentication', status: 401 }), EXIT.NOT_ALLOWED, 'AUTHENTICATION'],
  ['a key that may not', client({ kind: 'permission', status: 403 }), EXIT.NOT_ALLOWED, 'PERMISSION'],
  ['an unknown node', client({ kind: 'not_found', status: 404, reason: 'NODE' }), EXIT.NOT_FOUND, 'NODE'],
  ['too much at once', client({ kind: 'too_large', status: 413 }), EXIT.FAILED, 'TOO_LARGE'],
  ['too many requests', client({ kind: 'rate_limited', status: 429 }), EXIT.LATER, 'RATE_LIMITED'],
  ['a server that is starting', client({ kind: 'unavailable', status: 503 }), EXIT.LATER, 'UNAVAILABLE'],
  ['a page of a proxy', client({ kind: 'unexpected', status: 502 }), EXIT.NO_ANSWER, 'UNEXPECTED'],
  ['no network', client({ kind: 'transport' }), EXIT.NO_ANSWER, 'TRANSPORT'],
  [
    'a refusal behind other words',
    wrapped(client({ kind: 'permission', status: 403 })),
    EXIT.NOT_ALLOWED,
    'PERMISSION',
  ],
  [
    'a part that is done',
    new PartlyDone('3 of 5', { cause: client({ kind: 'transport' }) }),
    EXIT.PARTLY,
    'PARTLY_DONE',
  ],
  ['a call between services', new DomainError('not_found', 'NOT_FOUND', 'no'), EXIT.NOT_FOUND, 'NOT_FOUND'],
  ['a refusal of the API by the older way', api(403), EXIT.NOT_ALLOWED, 'FAILED'],
  ['Ctrl-C', new Interrupted('SIGINT', 'Interrupted.'), 130, 'INTERRUPTED'],
  ['Ctrl-C in a timer', wrapped(new Interrupted('SIGTERM', 'Interrupted.')), 143, 'INTERRUPTED'],
  ['anything else', new Error('no'), EXIT.FAILED, 'FAILED'],
])('%s ends with its code', (_what, error, code, reason) => {
  expect(failureOf(error)).toMatchObject({ code, reason });
});

test('Ctrl-C in the middle reports what was done until then', () => {
  const cause = new Interrupted('SIGINT', 'Interrupted.');
  expect(failureOf(new PartlyDone('3 records written; then: Interrupted.', { cause }))).toMatchObject({
    code: 130,
    message: '3 records written; then: Interrupted.',
  });
});

test('programs read status and request id', () => {
  const error = client({ kind: 'permission', status: 403, reason: 'NOT_PERMITTED', requestId: 'r-1' });
  expect(failureOf(error)).toEqual({
    code: 3,
    reason: 'NOT_PERMITTED',
    status: 403,
    requestId: 'r-1',
    message: expect.stringContaining('take a key with more permission'),
  });
});

test('a reader that has seen enough is no failure', () => {
  expect(failureOf(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBeUndefined();
});

test('help and version are answers', () => {
  expect(isAnswered(new CommanderError(0, 'commander.helpDisplayed', ''))).toBe(true);
  expect(isAnswered(new CommanderError(1, 'commander.help', ''))).toBe(false);
});

test('each code has a meaning, and none stands for two', () => {
  expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
  expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length);
});
