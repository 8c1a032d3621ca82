import { hash } from 'node:crypto';
import { DomainError } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { countAttempt, forgiveAttempts } from '../../store/pg-attempts.ts';

const MINUTE_MS = 60_000;

type Limit = { readonly what: string; readonly count: number; readonly windowMs: number };

/** Wrong passwords: for one person from one place, for one person from anywhere, and from one place for anybody. */
const SIGN_IN = {
  pair: { what: 'sign-in pair', count: 10, windowMs: 15 * MINUTE_MS },
  person: { what: 'sign-in person', count: 50, windowMs: 15 * MINUTE_MS },
  place: { what: 'sign-in place', count: 100, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, Limit>;
const RESET = {
  person: { what: 'reset person', count: 3, windowMs: 60 * MINUTE_MS },
  place: { what: 'reset place', count: 20, windowMs: 60 * MINUTE_MS },
} as const satisfies Record<string, Limit>;

const keyOf = ({ what }: Limit, ...parts: string[]): Buffer =>
  hash('sha256', JSON.stringify([what, ...parts]), 'buffer');

/**
 * Counts an attempt before the password is looked at, so that attempts at the same time cannot pass the limit together.
 * @returns takes the attempt back: the password was right
 * @throws DomainError resource_exhausted
 */
export async function limitSignIn(
  on: Queryable,
  email: string,
  clientAddress: string,
  nowMs: number,
): Promise<() => Promise<void>> {
  const pair = keyOf(SIGN_IN.pair, email, clientAddress);
  const person = keyOf(SIGN_IN.person, email);
  const place = keyOf(SIGN_IN.place, clientAddress);
  await take(on, place, SIGN_IN.place, nowMs);
  await take(on, pair, SIGN_IN.pair, nowMs);
  await take(on, person, SIGN_IN.person, nowMs);
  return () => forgiveAttempts(on, [pair, person], [place]);
}

/** @throws DomainError resource_exhausted */
export async function limitReset(on: Queryable, email: string, clientAddress: string, nowMs: number): Promise<void> {
  await take(on, keyOf(RESET.place, clientAddress), RESET.place, nowMs);
  await take(on, keyOf(RESET.person, email), RESET.person, nowMs);
}

async function take(on: Queryable, key: Buffer, limit: Limit, nowMs: number): Promise<void> {
  const { count, windowEndsMs } = await countAttempt(on, key, nowMs, limit.windowMs);
  if (count <= limit.count) return;
  const minutes = Math.max(1, Math.ceil((windowEndsMs - nowMs) / MINUTE_MS));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  throw new DomainError('resource_exhausted', 'TOO_MANY_ATTEMPTS', `Too many attempts. Try again in ${wait}.`);
}
