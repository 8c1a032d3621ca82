import { type Apply, compile, type Linear, linearOf } from './compile.ts';
import { EquationFailure, parseTerm } from './parse.ts';

/** The transform stands between stored and shown numbers (docs/reference/parameters.md#attributes). */
export type Transform = {
  /** Equal keys mean equal values. */
  readonly key: string;
  /** True if numbers are shown as they are stored. */
  readonly isIdentity: boolean;
  /** Present where values are a slope and an intercept: a store may compute with them. */
  readonly linear: Linear | undefined;
  /** The shown number of a stored one; NaN = no value. Finite numbers only. */
  readonly apply: Apply;
};

/** Attributes of a Number parameter. */
export type TransformAttributes = {
  readonly multiplier: number;
  readonly offset: number;
  /** Takes the place of multiplier and offset; empty = none. */
  readonly equation: string;
};

export const UNTRANSFORMED: TransformAttributes = { multiplier: 1, offset: 0, equation: '' };

/** Returns the attributes without those that take no effect. */
export const essenceOf = ({ multiplier, offset, equation }: TransformAttributes): TransformAttributes =>
  equation === '' ? { multiplier, offset, equation } : { ...UNTRANSFORMED, equation };

const RULE = 'must be one expression of x with + - * / ^ ( ) and abs sqrt exp ln log10 sin cos tan min max pow';

/** Says what is wrong with an equation, as the end of a sentence about the attribute; undefined = nothing. */
export function equationProblem(text: string): string | undefined {
  try {
    parseTerm(text);
    return undefined;
  } catch (error) {
    if (error instanceof EquationFailure) return `${RULE}: ${error.message}`;
    throw error;
  }
}

const MAX_KNOWN = 1_000;
const known = new Map<string, Transform>();

/**
 * Returns the transform of a parameter, whose equation has been checked. One that cannot be read all the same (written by a newer
 * release) leaves no value.
 */
export function transformOf({ multiplier, offset, equation }: TransformAttributes): Transform {
  if (equation === '') return multiplied(multiplier, offset);
  const before = known.get(equation);
  if (before) return before;
  const transform = equated(equation);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(equation, transform);
  return transform;
}

const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);

function multiplied(multiplier: number, offset: number): Transform {
  const bounds = { slopeBound: Math.abs(multiplier), interceptBound: Math.abs(offset) };
  const isIdentity = multiplier === 1 && offset === 0;
  return {
    key: `${multiplier} ${offset}`,
    isIdentity,
    linear: { slope: multiplier, intercept: offset, ...bounds, steps: 2 },
    apply: isIdentity ? (raw) => raw : (raw) => finite(raw * multiplier + offset),
  };
}

function equated(equation: string): Transform {
  const key = `=${equation}`;
  try {
    const term = parseTerm(equation);
    const value = compile(term);
    const isIdentity = term.kind === 'x';
    // A constant would make a value of what has none.
    const apply: Apply = isIdentity ? value : (raw) => (Number.isNaN(raw) ? raw : finite(value(raw)));
    return { key, isIdentity, linear: linearOf(term), apply };
  } catch (error) {
    if (!(error instanceof EquationFailure)) throw error;
    return { key, isIdentity: false, linear: undefined, apply: () => Number.NaN };
  }
}
