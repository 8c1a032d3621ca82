import { type Context, defaultOperators, type Operators, toValue, toValueSync } from 'liquidjs';
import { charge } from './budget.ts';

/** Tighter than the others (docs/reference/expressions.md#syntax). */
const COMPARISONS: readonly string[] = ['==', '!=', '>', '<', '>=', '<='];

export const precedence = (operator: string): number => (COMPARISONS.includes(operator) ? 1 : 0);

const isNothing = (value: unknown): boolean => (toValue(value) ?? null) === null;

/** liquidjs compares nil by the rules of JavaScript, where it is below 1; here nothing is above or below it, and nothing contains it. */
const REFUSES_NIL: readonly string[] = ['>', '<', '>=', '<=', 'contains'];

const named = (name: string) => (left: unknown, right: unknown, context: Context) => {
  charge(context.memoryLimit, left, right);
  if (REFUSES_NIL.includes(name) && (isNothing(left) || isNothing(right))) return false;
  return toValueSync((defaultOperators[name] as (...sides: unknown[]) => boolean)(left, right, context));
};

/** There are these operators, and no others. */
export const OPERATORS: Operators = Object.fromEntries(
  [...COMPARISONS, 'contains', 'and', 'or'].map((name) => [name, named(name)]),
);
