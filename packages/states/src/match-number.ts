import { isAtOrBeyond, normalIndexOf, type State, type StatesConfig } from './state.ts';

const RELATIVE_TOLERANCE = 1e-9;

const numbersEqual = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));

/**
 * Returns the state of a number by itself, without hysteresis and occurrences (docs/reference/states.md#matching).
 * @param value after the transform; one that is not finite counts as no value
 * @returns NORMAL or the most extreme state of a RANGE; the first matching state of DISCRETE, undefined when none does
 */
export function matchNumber<S extends State>({ statesType, states }: StatesConfig<S>, value: number): S | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (statesType === 'RANGE') return matchRange(states, value);
  if (statesType !== 'DISCRETE') return undefined;
  return states.find(({ threshold }) => threshold !== undefined && numbersEqual(value, threshold));
}

function matchRange<S extends State>(states: readonly S[], value: number): S | undefined {
  const normal = normalIndexOf(states);
  for (let i = states.length - 1; i > normal; i--) if (isAtOrBeyond(states[i]!, 1, value)) return states[i];
  for (let i = 0; i < normal; i++) if (isAtOrBeyond(states[i]!, -1, value)) return states[i];
  return states[normal];
}
