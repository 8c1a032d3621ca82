import { DomainError } from '@catchment/errors';
import { Drop } from 'liquidjs';

/** A value has at most this many characters, with all that lies in it: a text, or a list of texts. */
const MAX_VALUE = 100_000;
/** Largest range and list. */
export const MAX_ITEMS = 10_000;
/** Rendering a tag, output or piece of text costs this beside what it handles. */
const STEP_COST = 20;

export const broken = (message: string): DomainError =>
  new DomainError('invalid_argument', 'INVALID_EXPRESSION', message);

/**
 * Counts what a rendering may still do, in characters handled; each step, property and operator costs some too. It is
 * counted and not timed, so the same text with the same objects always comes to the same end, however busy the machine
 * is. It bounds time, memory and output at once, since all of them come from characters handled. liquidjs takes it for
 * its limiters of memory and time.
 */
export class Budget {
  #left: number;

  constructor(work: number) {
    this.#left = work;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  use(cost: number): void {
    this.#left -= Math.max(0, cost);
    // The negation also refuses NaN.
    if (!(this.#left >= 0)) throw broken('the text takes too much work');
  }

  /** Called by liquidjs before each step. */
  check(): void {
    this.use(STEP_COST);
  }
}

/** Counts a value that an expression is about to handle. @throws DomainError invalid_argument: too large */
export function charge(budget: { use(cost: number): void }, ...values: readonly unknown[]): void {
  let weight = 1;
  for (const value of values) weight += weigh(value, MAX_VALUE);
  budget.use(weight);
}

/** Counts the characters of a value and of all that lies in it. */
function weigh(value: unknown, limit: number): number {
  if (typeof value === 'string') return allowed(value.length + 1, limit);
  if (typeof value !== 'object' || value === null || value instanceof Drop) return 1;
  const [names, values] = Array.isArray(value) ? [[], value] : [Object.keys(value), Object.values(value)];
  if (values.length > MAX_ITEMS) throw broken(`a list has more than ${MAX_ITEMS} items`);
  let weight = 1;
  for (const part of names) weight = allowed(weight + part.length, limit);
  for (const part of values) weight = allowed(weight + weigh(part, limit - weight), limit);
  return weight;
}

function allowed(weight: number, limit: number): number {
  if (weight > limit) throw broken(`a value has more than ${MAX_VALUE} characters`);
  return weight;
}
