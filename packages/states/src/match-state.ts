import { matchNumber } from './match-number.ts';
import type { State, StatesConfig } from './state.ts';
import { textMatches } from './text-pattern.ts';

/** Matches texts too, otherwise like `matchNumber`. */
export function matchState<S extends State>(config: StatesConfig<S>, value: number | string): S | undefined {
  if (typeof value === 'number') return matchNumber(config, value);
  if (config.statesType !== 'DISCRETE') return undefined;
  return config.states.find(({ textThreshold }) => textThreshold !== undefined && textMatches(textThreshold, value));
}

/** Returns the quality code that a new record gets from its state when it has none of its own (docs/reference/states.md#evaluation). */
export const qualityCodeFor = (config: StatesConfig, value: number | string): number | undefined =>
  matchState(config, value)?.qualityCode;
