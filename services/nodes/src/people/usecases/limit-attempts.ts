import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import type { AttemptCounts } from './ports.ts';

const MINUTE_MS = 60_000;

type Limit = { readonly what: string; readonly count: number; readonly windowMs: number };

/** Wrong passwords are counted for one person from one place, and from one place for anybody. Beyond a count the place must wait. */
const SIGN_IN = {
  pair: { what: 'sign-in pair', count: 10, windowMs: 15 * MINUTE_MS },
  place: { what: 'sign-in place', count: 100, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, Limit>;
/**
 * Wrong passwords for one person count from anywhere: beyond `count` each attempt waits a little longer. No more is done: a
 * lock would let attackers keep a person out.
 */
const SLOW_DOWN = { what: 'sign-in person', count: 10, windowMs: 15 * MINUTE_MS, stepMs: 250, mostMs: 5_000 } as const;
const RESET = {
  person: { what: 'reset person', count: 3, windowMs: 60 * MINUTE_MS },
  place: { what: 'reset place', count: 20, windowMs: 60 * MINUTE_MS },
} as const satisfies Record<string, Limit>;

const keyOf = ({ what }: Pick<Limit, 'what'>, ...parts: string[]): Buffer =>
  hash('sha256', JSON.stringify([what, ...parts]), 'buffer');

export type Pause = (ms: number) => Promise<unknown>;

/** Returns the wait before an attempt after `failures` earlier ones in the window, from any address. */
const slowDownMs = (failures: number): number =>
  Math.min(Math.max(0, failures - SLOW_DOWN.count) * SLOW_DOWN.stepMs, SLOW_DOWN.mostMs);

/**
 * Counts an attempt before the password is checked, so that attempts at the same time cannot pass the limit together; waits where
 * the person is being guessed at.
 * @returns takes the attempt back: the password was right
 * @throws DomainError resource_exhausted
 */
export async function limitSignIn(
  counts: AttemptCounts,
  { database: on, pause = sleep }: { readonly database: Queryable; readonly pause?: Pause },
  email: string,
  clientAddress: string,
  nowMs: number,
): Promise<() => Promise<void>> {
  const pair = keyOf(SIGN_IN.pair, email, clientAddress);
  const person = keyOf(SLOW_DOWN, email);
  const place = keyOf(SIGN_IN.place, clientAddress);
  await take(counts, on, place, SIGN_IN.place, nowMs);
  await take(counts, on, pair, SIGN_IN.pair, nowMs);
  const { count } = await counts.countAttempt(on, person, nowMs, SLOW_DOWN.windowMs);
  const waitMs = slowDownMs(count - 1);
  if (waitMs > 0) await pause(waitMs);
  // Attempts of others stay counted.
  return () => counts.forgiveAttempts(on, [pair], [place, person]);
}

/** @throws DomainError resource_exhausted */
export async function limitReset(
  counts: AttemptCounts,
  on: Queryable,
  email: string,
  clientAddress: string,
  nowMs: number,
): Promise<void> {
  await take(counts, on, keyOf(RESET.place, clientAddress), RESET.place, nowMs);
  await take(counts, on, keyOf(RESET.person, email), RESET.person, nowMs);
}

async function take(
  { countAttempt }: AttemptCounts,
  on: Queryable,
  key: Buffer,
  limit: Limit,
  nowMs: number,
): Promise<void> {
  const { count, windowEndsMs } = await countAttempt(on, key, nowMs, limit.windowMs);
  if (count <= limit.count) return;
  // The wait is in whole minutes, so that the text and Retry-After say the same.
  const minutes = Math.max(1, Math.ceil((windowEndsMs - nowMs) / MINUTE_MS));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  throw new DomainError('resource_exhausted', 'TOO_MANY_ATTEMPTS', `Too many attempts. Try again in ${wait}.`, {
    retryAfterSeconds: minutes * 60,
  });
}
