import { BodyBudget } from '../../domain/body-budget.ts';

const FULL = expect.objectContaining({ kind: 'unavailable', reason: 'BODY_MEMORY_FULL' });

/** Bytes that an account gets, in steps of 10, until it is refused. */
function takeAll(budget: BodyBudget, account?: string): number {
  const claim = budget.open(account);
  for (let taken = 0; ; taken += 10) {
    try {
      claim.take(10);
    } catch (error) {
      expect(error).toEqual(FULL);
      return taken;
    }
  }
}

test('bodies of one account leave as much free as they take', () => {
  const budget = new BodyBudget(1_000);
  expect(takeAll(budget, 'a')).toBe(500);
  expect(takeAll(budget, 'b')).toBe(250);
  expect(takeAll(budget, 'c')).toBe(120);
  expect(budget.freeBytes).toBe(130);
});

test('what an account gives back, it and others may take again', () => {
  const budget = new BodyBudget(1_000);
  const claim = budget.open('a');
  claim.take(400);
  expect(() => budget.open('a').take(200)).toThrow(FULL);
  claim.release();
  claim.release();
  expect(budget.freeBytes).toBe(1_000);
  expect(takeAll(budget, 'a')).toBe(500);
});

test('a body of nobody known, and a single body, may take all of it', () => {
  expect(takeAll(new BodyBudget(1_000))).toBe(1_000);
  const budget = new BodyBudget(1_000);
  budget.open('a').take(1_000);
  expect(() => budget.open('b').take(1)).toThrow(FULL);
});
