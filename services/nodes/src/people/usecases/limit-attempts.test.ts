import type { Queryable } from '@catchment/pg';
import { limitReset, limitSignIn } from './limit-attempts.ts';
import type { AttemptCounts, Counted } from './ports.ts';

const MINUTE_MS = 60_000;
const EMAIL = 'jo@example.org';
const on = {} as Queryable;

/** Counts in memory, with the windows of the table. */
function countsInMemory(): AttemptCounts {
  const known = new Map<string, Counted>();
  const countOne = (key: Buffer, nowMs: number, windowMs: number): Counted => {
    const before = known.get(key.toString('hex'));
    const counted =
      before && before.windowEndsMs > nowMs
        ? { ...before, count: before.count + 1 }
        : { count: 1, windowEndsMs: nowMs + windowMs };
    known.set(key.toString('hex'), counted);
    return counted;
  };
  return {
    countAttempt: async (_on, key, nowMs, windowMs) => countOne(key, nowMs, windowMs),
    countAttempts: async (_on, keys, nowMs, windowMs) =>
      new Map(keys.map((key) => [key.toString('hex'), countOne(key, nowMs, windowMs).count])),
    forgiveAttempts: async (_on, cleared, lowered) => {
      for (const key of cleared) known.delete(key.toString('hex'));
      for (const key of lowered) {
        const before = known.get(key.toString('hex'));
        if (before) known.set(key.toString('hex'), { ...before, count: before.count - 1 });
      }
    },
  };
}

/** Signs in from places, and notes the waits. */
function signingIn() {
  const counts = countsInMemory();
  const waitsMs: number[] = [];
  const pause = async (ms: number) => void waitsMs.push(ms);
  const attempt = (place: string, nowMs = 0) => limitSignIn(counts, { database: on, pause }, EMAIL, place, nowMs);
  return { attempt, waitsMs };
}

test('a place that guesses at a person must wait after ten attempts, until the window ends', async () => {
  const { attempt } = signingIn();
  for (let i = 0; i < 10; i += 1) await attempt('here');
  await expect(attempt('here', 5 * MINUTE_MS)).rejects.toMatchObject({
    kind: 'resource_exhausted',
    retryAfterSeconds: 10 * 60,
  });
  await expect(attempt('here', 15 * MINUTE_MS)).resolves.toBeDefined();
});

test('attempts from many places slow the person down, up to five seconds, and never lock', async () => {
  const { attempt, waitsMs } = signingIn();
  for (let i = 0; i < 40; i += 1) await attempt(`place ${i}`);
  expect(waitsMs.slice(0, 2)).toEqual([250, 500]);
  expect(waitsMs).toHaveLength(29);
  expect(Math.max(...waitsMs)).toBe(5_000);
});

test('an attempt with the right password counts for nobody', async () => {
  const { attempt, waitsMs } = signingIn();
  for (let i = 0; i < 200; i += 1) await (await attempt('here'))();
  expect(waitsMs).toEqual([]);
});

test('a person gets three links an hour, whoever asks for them', async () => {
  const counts = countsInMemory();
  for (const place of ['a', 'b', 'c']) await limitReset(counts, on, EMAIL, place, 0);
  await expect(limitReset(counts, on, EMAIL, 'd', 0)).rejects.toMatchObject({ reason: 'TOO_MANY_ATTEMPTS' });
  await expect(limitReset(counts, on, 'al@example.org', 'd', 0)).resolves.toBeUndefined();
});
