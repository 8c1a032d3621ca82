import { BodyBudget } from '../../domain/body-budget.ts';
import { CallState } from './call-state.ts';

// Its connection remembers it until the next one.
test('a request that has ended keeps neither its body nor the memory that was counted for it', () => {
  const budget = new BodyBudget(1_000_000);
  const { freeBytes } = budget;
  const call = new CallState();
  call.bodyClaim = budget.open({ account: 'a' });
  call.bodyClaim.take(100);
  call.body = Buffer.alloc(100);
  call.giveBack();
  expect(call.body).toHaveLength(0);
  expect(budget.freeBytes).toBe(freeBytes);
});
