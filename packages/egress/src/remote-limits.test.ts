import { vi } from 'vitest';
import { failureWords } from './failure-words.ts';
import { Allowance, LimitReached, type Limits, REMOTE_LIMITS } from './remote-limits.ts';

const LIMITS: Limits = {
  what: 'listing',
  maxBytes: 2048,
  maxParts: 3,
  partName: 'entries',
  maxMs: 600_000,
  advice: 'name a smaller folder',
};

async function* endless(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  for (;;) yield piece;
}
const reasonOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return 'no limit';
  } catch (error) {
    return error;
  }
};

test('pieces without an end stop at the limit of bytes, and whoever waits for the answer hears it', async () => {
  using allowance = new Allowance(LIMITS);
  let bytes = 0;
  const reason = await reasonOf(async () => {
    for await (const piece of allowance.passing(endless(new Uint8Array(100)))) bytes += piece.length;
  });
  expect(reason).toBeInstanceOf(LimitReached);
  expect(failureWords(reason)).toBe('listing has more than 2 KiB: name a smaller folder');
  expect([bytes, allowance.signal.reason]).toEqual([2000, reason]);
});

test('parts are counted, however small they are', async () => {
  using allowance = new Allowance(LIMITS);
  allowance.takeParts(3);
  expect(failureWords(await reasonOf(() => allowance.takeParts(1)))).toBe(
    'listing has more than 3 entries: name a smaller folder',
  );
});

test('time is that of the whole answer: what comes in between does not make it longer', () => {
  vi.useFakeTimers();
  try {
    using allowance = new Allowance(LIMITS);
    for (let second = 0; second < 599; second += 1) {
      vi.advanceTimersByTime(1_000);
      expect(allowance.spend(1)).toBe(true);
    }
    vi.advanceTimersByTime(1_000);
    expect(allowance.spend(1)).toBe(false);
    expect(failureWords(allowance.signal.reason)).toBe('listing was not over after 10 minutes: name a smaller folder');
  } finally {
    vi.useRealTimers();
  }
});

test("an answer that its caller gives up ends with the caller's reason; one that is over has no clock", () => {
  vi.useFakeTimers();
  try {
    const stop = new AbortController();
    const allowance = new Allowance(LIMITS, stop.signal);
    allowance[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    stop.abort(new Error('the session was given up'));
    expect(() => allowance.takeBytes(1)).toThrow('the session was given up');
  } finally {
    vi.useRealTimers();
  }
});

test('every other side has a limit of bytes and of time, and listings one of entries', () => {
  for (const { maxBytes, maxMs, advice } of Object.values(REMOTE_LIMITS)) {
    expect([Number.isFinite(maxBytes), Number.isFinite(maxMs), advice.length > 0]).toEqual([true, true, true]);
  }
  expect(REMOTE_LIMITS.listing.maxParts).toBe(200_000);
});
