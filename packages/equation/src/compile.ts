import { FUNCTIONS } from './functions.ts';
import type { Operator, Term } from './parse.ts';

export type Apply = (x: number) => number;

const OPERATIONS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
};

/** Makes a function of x from the expression. */
export function compile(term: Term): Apply {
  switch (term.kind) {
    case 'number': {
      const { value } = term;
      return () => value;
    }
    case 'x':
      return (x) => x;
    case 'minus': {
      const of = compile(term.of);
      return (x) => -of(x);
    }
    case 'binary':
      return binary(term.operator, compile(term.left), compile(term.right));
    case 'call': {
      const { apply } = FUNCTIONS[term.name] as { readonly apply: (...values: number[]) => number };
      const [first, second, ...others] = term.of.map(compile);
      if (!first) return () => Number.NaN;
      if (!second) return (x) => apply(first(x));
      if (others.length === 0) return (x) => apply(first(x), second(x));
      return (x) => apply(first(x), second(x), ...others.map((other) => other(x)));
    }
  }
}

function binary(operator: Operator, left: Apply, right: Apply): Apply {
  switch (operator) {
    case '+':
      return (x) => left(x) + right(x);
    case '-':
      return (x) => left(x) - right(x);
    case '*':
      return (x) => left(x) * right(x);
    case '/':
      return (x) => left(x) / right(x);
    case '^':
      return (x) => left(x) ** right(x);
  }
}

/** The value is `slope × x + intercept`, give or take what rounding does. */
export type Linear = {
  readonly slope: number;
  readonly intercept: number;
  /** For any x, no step of the computation is larger than `slopeBound × |x| + interceptBound`. */
  readonly slopeBound: number;
  readonly interceptBound: number;
  /** Operations. */
  readonly steps: number;
};

/**
 * Returns the slope and intercept of an expression that has x once, with numbers only added to, multiplied with and divided into it:
 * rounding keeps the order of its values, as it does with a multiplier and an offset. Undefined for all others.
 */
export function linearOf(term: Term): Linear | undefined {
  const found = isConstant(term) ? undefined : linear(term);
  return found && Object.values(found).every(Number.isFinite) ? found : undefined;
}

function linear(term: Term): Linear | undefined {
  switch (term.kind) {
    case 'x':
      return { slope: 1, intercept: 0, slopeBound: 1, interceptBound: 0, steps: 0 };
    case 'minus': {
      const of = linear(term.of);
      return of && { ...of, slope: -of.slope, intercept: -of.intercept };
    }
    case 'binary':
      return isConstant(term.right)
        ? withRight(linear(term.left), term.operator, term.right)
        : isConstant(term.left)
          ? withLeft(linear(term.right), term.operator, term.left)
          : undefined;
    default:
      return undefined;
  }
}

const scaled = (of: Linear, by: number, steps: number): Linear => ({
  slope: of.slope * by,
  intercept: of.intercept * by,
  slopeBound: Math.abs(of.slopeBound * by),
  interceptBound: Math.abs(of.interceptBound * by),
  steps: of.steps + steps,
});
const moved = (of: Linear, by: number, steps: number): Linear => ({
  ...of,
  intercept: of.intercept + by,
  interceptBound: of.interceptBound + Math.abs(by),
  steps: of.steps + steps,
});

function withRight(of: Linear | undefined, operator: Operator, constant: Term): Linear | undefined {
  if (!of || operator === '^') return undefined;
  const value = compile(constant)(Number.NaN);
  const steps = stepsOf(constant) + 1;
  if (operator === '*') return scaled(of, value, steps);
  if (operator === '/') return scaled(of, 1 / value, steps + 1);
  return moved(of, OPERATIONS[operator](0, value), steps);
}

function withLeft(of: Linear | undefined, operator: Operator, constant: Term): Linear | undefined {
  const value = compile(constant)(Number.NaN);
  const steps = stepsOf(constant) + 1;
  if (operator === '*') return of && scaled(of, value, steps);
  if (operator === '+') return of && moved(of, value, steps);
  if (operator === '-') return of && moved(scaled(of, -1, 0), value, steps);
  return undefined;
}

function isConstant(term: Term): boolean {
  switch (term.kind) {
    case 'number':
      return true;
    case 'x':
      return false;
    case 'minus':
      return isConstant(term.of);
    case 'binary':
      return isConstant(term.left) && isConstant(term.right);
    case 'call':
      return term.of.every(isConstant);
  }
}

function stepsOf(term: Term): number {
  switch (term.kind) {
    case 'minus':
      return stepsOf(term.of);
    case 'binary':
      return 1 + stepsOf(term.left) + stepsOf(term.right);
    case 'call':
      return term.of.reduce((sum, part) => sum + stepsOf(part), 2);
    default:
      return 0;
  }
}
