import { answerText, FAILURES_MAX, outcomeOf } from './delivery.ts';

const MINUTE = 60_000;
const failed = { timeMs: 1_000, durationMs: 10, statusCode: 500, error: 'answered 500' };
const fresh = { isByHand: false, failedTries: 0, failures: 0 };

test('a try that arrives ends the delivery, and the row of failures', () => {
  expect(outcomeOf({ timeMs: 1, durationMs: 1, statusCode: 204 }, { ...fresh, failedTries: 2, failures: 7 })).toEqual({
    status: 'DELIVERED',
    dueMs: undefined,
    failedTries: 0,
    failures: 0,
    disabled: undefined,
  });
});

test.each([
  ['1 minute after the first failure', 0, MINUTE],
  ['5 minutes after the second', 1, 5 * MINUTE],
  ['30 minutes after the third', 2, 30 * MINUTE],
])('tried again %s', (_when, failedTries, waitMs) => {
  expect(outcomeOf(failed, { ...fresh, failedTries, failures: 3 })).toEqual({
    status: 'PENDING',
    dueMs: 1_010 + waitMs,
    failedTries: failedTries + 1,
    failures: 3,
    disabled: undefined,
  });
});

test('given up after the fourth failure', () => {
  expect(outcomeOf(failed, { ...fresh, failedTries: 3 })).toMatchObject({
    status: 'FAILED',
    dueMs: undefined,
    failures: 1,
    disabled: undefined,
  });
});

test('disabled when so many deliveries in a row were given up', () => {
  const last = { ...fresh, failedTries: 3, failures: FAILURES_MAX - 1 };
  expect(outcomeOf(failed, last)).toMatchObject({ failures: FAILURES_MAX, disabled: 'FAILURES' });
  expect(outcomeOf(failed, { ...last, failures: FAILURES_MAX - 2 }).disabled).toBeUndefined();
});

test('410 Gone ends the delivery and disables at once', () => {
  expect(outcomeOf({ ...failed, statusCode: 410 }, fresh)).toMatchObject({ status: 'FAILED', disabled: 'GONE' });
});

test('a try by hand is the only one and is not counted', () => {
  const byHand = { isByHand: true, failedTries: 0, failures: FAILURES_MAX - 1 };
  expect(outcomeOf(failed, byHand)).toMatchObject({
    status: 'FAILED',
    dueMs: undefined,
    failures: FAILURES_MAX - 1,
    disabled: undefined,
  });
});

test.each([
  ['nothing', '', undefined],
  ['only control characters', '\u0000\u0007\n', undefined],
  ['a text of several lines', '{\n  "error":\t"no room"\n}', '{ "error": "no room" }'],
  ['what turns a text around', 'abc\u202edef', 'abc def'],
  ['200 characters', 'é'.repeat(200), 'é'.repeat(200)],
  ['more than 200', 'é'.repeat(201), `${'é'.repeat(199)}…`],
])('of an answer of %s people see one line', (_what, answer, text) => {
  expect(answerText(Buffer.from(answer))).toBe(text);
});

test('bytes that are no text are reported as such, and stored without harm', () => {
  expect(answerText(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\ufffdb');
});
