import { DomainError } from '@catchment/errors';
import { BodyBudget, type Payer, SMALL_BODY_BYTES } from './body-budget.ts';

const MIB = 1024 * 1024;
const TOTAL = 64 * MIB;
const [A, B, C] = ['a', 'b', 'c'].map((account) => ({ account })) as [Payer, Payer, Payer];
const [HERE, THERE] = ['192.0.2.1', '2001:db8:0:0::/64'].map((address) => ({ address })) as [Payer, Payer];

/** Takes bodies of a size for a payer until one is refused; returns them, and why. */
function takeAll(budget: BodyBudget, payer: Payer, bytes: number) {
  const claims = [];
  for (;;) {
    const claim = budget.open(payer);
    try {
      claim.take(bytes);
      claims.push(claim);
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      const { kind, reason, message } = error as DomainError;
      return { count: claims.length, claims, kind, reason, message };
    }
  }
}

test('large bodies of one payer leave as much free as they take', () => {
  const budget = new BodyBudget(TOTAL);
  expect(takeAll(budget, A, MIB)).toMatchObject({ count: 20, kind: 'unavailable', reason: 'BODY_MEMORY_FULL' });
  expect(takeAll(budget, B, MIB).count).toBe(10);
  expect(takeAll(budget, C, MIB).count).toBe(5);
});

test.each([
  ['large bodies of accounts', A, MIB],
  ['small bodies of accounts', A, SMALL_BODY_BYTES],
  ['large bodies of strangers', HERE, MIB],
  ['small bodies of strangers', HERE, 1_000],
] as const)(
  '%s leave room for small and large ones of another account and of another address',
  (_what, payer, bytes) => {
    const budget = new BodyBudget(TOTAL);
    takeAll(budget, payer, bytes);
    for (const other of [B, THERE]) for (const size of [1, SMALL_BODY_BYTES, MIB]) budget.open(other).take(size);
  },
);

test.each([
  ['account', A],
  ['address', HERE],
] as const)('large bodies of one %s never take the room of its small ones', (_kind, payer) => {
  const budget = new BodyBudget(TOTAL);
  takeAll(budget, payer, MIB);
  expect(takeAll(budget, payer, SMALL_BODY_BYTES).count).toBe(64);
});

test('strangers of any number of addresses take a quarter, however small their bodies are', () => {
  const budget = new BodyBudget(TOTAL);
  for (let n = 0; n < 1_000; n += 1) takeAll(budget, { address: `192.0.2.${n}` }, 16 * 1024);
  expect(budget.freeBytes).toBeGreaterThanOrEqual(48 * MIB);
  expect(takeAll(budget, THERE, MIB)).toMatchObject({ kind: 'unavailable', reason: 'BODY_MEMORY_FULL' });
  expect(takeAll(budget, A, MIB).count).toBe(20);
});

test('a body that grows moves from the small ones to the large ones', () => {
  const budget = new BodyBudget(TOTAL);
  for (let n = 0; n < 20; n += 1) {
    const claim = budget.open(A);
    for (let taken = 0; taken < MIB; taken += SMALL_BODY_BYTES) claim.take(SMALL_BODY_BYTES);
  }
  expect(() => budget.open(A).take(MIB)).toThrow();
  expect(takeAll(budget, A, SMALL_BODY_BYTES).count).toBe(64);
});

test.each([
  [A, 1_000],
  [A, MIB],
  [HERE, 1_000],
  [HERE, MIB],
] as const)('what %j gives back of bodies of %d bytes may be taken again, once', (payer, bytes) => {
  const budget = new BodyBudget(TOTAL);
  const { claims, count } = takeAll(budget, payer, bytes);
  for (const claim of [...claims, ...claims]) claim.release();
  expect(budget.freeBytes).toBe(TOTAL);
  expect(takeAll(budget, payer, bytes).count).toBe(count);
  for (const claim of claims) claim.release();
  expect(budget.freeBytes).toBeLessThan(TOTAL);
});

test.each([
  ['of an account', A, 'bodies of the account'],
  ['of a stranger', HERE, 'bodies from this address that come without a checked key'],
] as const)('a refusal %s names the budget and what to do', (_who, payer, text) => {
  const { message } = takeAll(new BodyBudget(TOTAL), payer, MIB);
  expect(message).toContain(text);
  expect(message).toContain('send it again when some of them have ended, or send fewer or smaller ones at a time');
});
