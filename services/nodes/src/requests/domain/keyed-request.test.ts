import type { DomainError } from '@catchment/errors';
import { checkRoom, type KnownRequest, MOST_OF_ACCOUNT, nextStep } from './keyed-request.ts';

const bytes = (text: string) => Buffer.from(text);
const KNOWN: KnownRequest = {
  requestId: 'r',
  headSha256: bytes('POST /nodes'),
  bodySha256: bytes('body'),
  arrivalMs: 1,
  tryNumber: 1,
  isHeld: false,
  hasDied: false,
  isDone: false,
  answer: undefined,
};
const ASKED = { headSha256: bytes('POST /nodes'), bodySha256: bytes('body'), isRepeatable: true };
const ANSWER = { status: 201, contentType: '', body: bytes('{}'), bodySha256: bytes('body') };

const stepOf = (known: Partial<KnownRequest>, asked: Partial<typeof ASKED> = {}) => {
  try {
    return nextStep({ ...KNOWN, ...known }, { ...ASKED, ...asked });
  } catch (error) {
    return (error as DomainError).reason;
  }
};

test.each([
  ['the answer is kept', { answer: ANSWER }, {}, 'answer'],
  [
    'the answer is kept, and it is another body',
    { answer: ANSWER },
    { bodySha256: bytes('other') },
    'IDEMPOTENCY_KEY_REUSED',
  ],
  [
    'the answer is kept, and it is another path',
    { answer: ANSWER },
    { headSha256: bytes('POST /x') },
    'IDEMPOTENCY_KEY_REUSED',
  ],
  ['the answer is kept, and the body is known later', { answer: ANSWER }, { bodySha256: bytes('') }, 'answer'],
  ['a try is under way', { isHeld: true }, {}, 'wait'],
  ['a try is under way that has done its work', { isHeld: true, isDone: true }, {}, 'wait'],
  [
    'a try is under way, and it is another body',
    { isHeld: true },
    { bodySha256: bytes('other') },
    'IDEMPOTENCY_KEY_REUSED',
  ],
  ['the last try ended without an answer', {}, {}, 'run'],
  ['the same of what nobody knows', {}, { isRepeatable: false }, 'run'],
  ['the last try ended without an answer, and has changed something', { isDone: true }, {}, 'ANSWER_LOST'],
  ['the last try has died', { hasDied: true }, {}, 'run'],
  ['the last try has died after it has changed something', { hasDied: true, isDone: true }, {}, 'ANSWER_LOST'],
  ['the last try of what nobody knows has died', { hasDied: true }, { isRepeatable: false }, 'ANSWER_LOST'],
] as const)('%s: %#', (_what, known, asked, step) => {
  expect(stepOf(known, asked)).toBe(step);
});

test('an account that has its requests or bytes is refused, and hears when to come again', () => {
  const { requests, bytes: most } = MOST_OF_ACCOUNT;
  checkRoom({ requests: requests - 1, bytes: most - 1 });
  for (const kept of [
    { requests, bytes: 0 },
    { requests: 0, bytes: most },
  ])
    expect(() => checkRoom(kept)).toThrow(
      expect.objectContaining({ kind: 'resource_exhausted', retryAfterSeconds: expect.any(Number) }),
    );
});
