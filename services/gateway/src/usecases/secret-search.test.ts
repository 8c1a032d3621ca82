import { received } from '@catchment/errors';
import { secretSearch } from './secret-search.ts';

const secret = (n: number): Buffer => Buffer.alloc(32, n);

/** Makes a search whose questions are answered by the test, one at a time. */
function fixture() {
  const asked: { secrets: Buffer[]; answer: PromiseWithResolvers<Buffer[]> }[] = [];
  const find = (secrets: Buffer[]) => {
    const answer = Promise.withResolvers<Buffer[]>();
    asked.push({ secrets, answer });
    return answer.promise;
  };
  return { asked, exists: secretSearch(find, 0) };
}

test('what comes while a question is on its way is gathered into the next one', async () => {
  const { asked, exists } = fixture();
  const first = exists(secret(1));
  const later = [exists(secret(2)), exists(secret(3)), exists(secret(2))];
  expect(asked).toHaveLength(1);
  asked[0]?.answer.resolve([secret(1)]);
  expect(await first).toBe(true);
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(asked.map(({ secrets }) => secrets.length)).toEqual([1, 3]);
  asked[1]?.answer.resolve([secret(3)]);
  expect(await Promise.all(later)).toEqual([false, true, false]);
});

test('5 000 guesses at once are six questions, and a good secret among them is found', async () => {
  let questions = 0;
  const good = Buffer.alloc(32, 'good');
  const exists = secretSearch(async (secrets) => {
    questions += 1;
    await new Promise(setImmediate);
    return secrets.filter((secret) => secret.equals(good));
  }, 0);
  const guesses = Array.from({ length: 5_000 }, (_, n) => exists(Buffer.alloc(32, `guess ${n}`)));
  const found = exists(good);
  expect(await found).toBe(true);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect(questions).toBe(6);
});

test('after a question that fails the next one is asked', async () => {
  const { asked, exists } = fixture();
  const first = exists(secret(1)).catch(() => 'the question fails');
  asked[0]?.answer.reject(received({ kind: 'unavailable', reason: 'X', message: 'x' }));
  expect(await first).toBe('the question fails');
  await new Promise(setImmediate);
  const second = exists(secret(2));
  asked[1]?.answer.resolve([secret(2)]);
  expect(await second).toBe(true);
});
