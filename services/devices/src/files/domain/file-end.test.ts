import { DomainError } from '@catchment/errors';
import { type FileOutcome, IGNORED } from '../../reading/index.ts';
import { endOf, isGivenUp, nextTry } from './file-end.ts';

const DAY_MS = 86_400_000;

test.each([
  [
    'what it needs is away',
    new DomainError('unavailable', 'BROKER_UNAVAILABLE', 'no'),
    false,
    { counts: false, waitSeconds: 5 },
  ],
  [
    'another one was first',
    new DomainError('conflict', 'DATABASE_CONFLICT', 'no'),
    false,
    { counts: false, waitSeconds: 5 },
  ],
  ['there is a bug', new DomainError('internal', 'INTERNAL', 'no'), false, { counts: true, waitSeconds: 30 }],
  ['an error is of a kind that nobody knows', new Error('no'), false, { counts: true, waitSeconds: 30 }],
  ['the process stops', new DomainError('internal', 'INTERNAL', 'no'), true, { counts: false, waitSeconds: 0 }],
])('a file is tried again when %s', (_what, error, isStopped, expected) => {
  expect(nextTry(error, isStopped)).toEqual(expected);
});

test.each([
  ['after six tries', { tries: 6, arrivedMs: 0 }, true],
  ['not after five', { tries: 5, arrivedMs: 0 }, false],
  ['when it is older than a day', { tries: 0, arrivedMs: -1 }, true],
])('a file is given up %s', (_what, file, expected) => {
  expect(isGivenUp(file, DAY_MS)).toBe(expected);
});

const refusal = { kind: 'invalid_argument', reason: 'NOTHING_PARSED', message: 'no time was found' } as const;
const importing = { format: 'AUTO', notifyOn: 'NONE', username: 'ada' };
const warning = [{ level: 'WARNING', message: 'today.csv could not be processed: no time was found' }];
test.each([
  ['a file that was refused', {}, { refusal }, [], warning],
  ['a file whose error was reported', {}, { refusal }, [{ level: 'ERROR', message: 'no' }], []],
  ['a file that nobody wants', {}, { refusal: { ...refusal, reason: IGNORED } }, [], []],
  ['an import, which shows its outcome itself', { importing }, { refusal }, [], []],
  ['a file that was read', {}, {}, [], []],
])('the last event of %s', (_what, source, outcome, events, expected) => {
  expect(endOf({ fileName: 'today.csv', source: source as never }, outcome as FileOutcome, events as never)).toEqual(
    expected,
  );
});
