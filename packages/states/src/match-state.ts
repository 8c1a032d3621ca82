import { isAtOrBeyond, normalIndexOf, type State, type StatesConfig } from './state.ts';
import { textMatches } from './text-pattern.ts';

const RELATIVE_TOLERANCE = 1e-9;

const numbersEqual = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));

function matchesDiscrete(state: State, value: number | string): boolean {
  if (typeof value === 'number') return state.threshold !== undefined && numbersEqual(value, state.threshold);
  return state.textThreshold !== undefined && textMatches(state.textThreshold, value);
}

/**
 * The state of a value by itself, without hysteresis and occurrences (docs/reference/states.md#matching).
 * @param value after the transform; a number that is not finite counts as no value
 * @returns NORMAL or the most extreme state of a RANGE; the first matching state of DISCRETE, undefined when none does
 */
export function matchState<S extends State>(config: StatesConfig<S>, value: number | string): S | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  if (config.statesType === 'DISCRETE') return config.states.find((state) => matchesDiscrete(state, value));
  if (config.statesType === 'RANGE' && typeof value === 'number') return matchRange(config.states, value);
  return undefined;
}

function matchRange<S extends State>(states: readonly S[], value: number): S | undefined {
  const normal = normalIndexOf(states);
  for (let i = states.length - 1; i > normal; i--) if (isAtOrBeyond(states[i]!, 1, value)) return states[i];
  for (let i = 0; i < normal; i++) if (isAtOrBeyond(states[i]!, -1, value)) return states[i];
  return states[normal];
}

/** The quality code that a new record gets from its state when it has none of its own (docs/reference/states.md#evaluation). */
export const qualityCodeFor = (config: StatesConfig, value: number | string): number | undefined =>
  matchState(config, value)?.qualityCode;
