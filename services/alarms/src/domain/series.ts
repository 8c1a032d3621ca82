import type { Transform } from '@catchment/equation';
import { matchState, NORMAL, nextState, type State, type StatesConfig } from '@catchment/states';
import type { CodeRecord, History, ValueRecord } from './history.ts';

/** A state as alarms need it. */
export type AlarmingState = State & {
  /** Empty = none. */
  readonly categoryId: string;
  readonly messageAway: string;
  readonly messageTowards: string;
};

/** How a series is evaluated. */
export type SeriesRules = StatesConfig<AlarmingState> & { readonly transform: Transform };

/** Where a series stands. stateId: null = no state was announced yet, '' = none. */
export type Series = { readonly stateId: string | null; readonly history: History };

export type StateStep = {
  readonly from: AlarmingState | undefined;
  readonly to: AlarmingState | undefined;
  readonly timeMs: number;
  /** The record that has brought it. */
  readonly record: ValueRecord & CodeRecord;
};

/** NORMAL of a RANGE: what a series without records is in. */
export const normalOf = (rules: SeriesRules): AlarmingState | undefined =>
  rules.statesType === 'RANGE' ? rules.states.find((state) => state.name === NORMAL) : undefined;

/** The state behind an id; one that is unknown, or whose state is gone by now, counts as NORMAL or none. */
export const stateOf = (rules: SeriesRules, stateId: string | null): AlarmingState | undefined =>
  rules.states.find((state) => state.stateId === stateId) ?? normalOf(rules);

const transformed = (rules: SeriesRules, value: number | string): number | string =>
  typeof value === 'number' ? rules.transform.apply(value) : value;

const hasValue = (value: number | string): boolean => !Number.isNaN(value);

/**
 * The stateless state of the newest record: what a series is in silently after its states or transform changed
 * (docs/reference/states.md#updates-of-states).
 */
export function silentState(rules: SeriesRules, history: History): AlarmingState | undefined {
  const newest = history.records.map(({ value }) => transformed(rules, value)).findLast(hasValue);
  return newest === undefined ? normalOf(rules) : matchState(rules, newest);
}

/** How many records in a row the states of a series look at. */
export const occurrencesNeeded = (rules: SeriesRules): number =>
  rules.states.reduce((most, state) => Math.max(most, state.occurrences), 1);

/**
 * Evaluates one new record (docs/reference/states.md#evaluation).
 * @param records the records up to and including the new one, ascending; the last 15 are enough
 * @param match of `matcher`
 * @returns the states before and after it
 */
export function evaluateRecord(
  rules: SeriesRules,
  stateId: string | null,
  records: readonly ValueRecord[],
  match: ReturnType<typeof matcher>,
): Pick<StateStep, 'from' | 'to'> {
  const from = stateOf(rules, stateId);
  const newest = records.at(-1);
  const value = newest && transformed(rules, newest.value);
  // A record that the transform leaves no value is passed over.
  if (value === undefined || !hasValue(value)) return { from, to: from };
  const values = records.map((record) => transformed(rules, record.value)).filter(hasValue);
  return { from, to: nextState(rules, from?.stateId, values, match) };
}

/** The stateless match of values, each looked at once: a text may be long, and its expressions many. */
export function matcher(rules: SeriesRules): (value: number | string) => AlarmingState | undefined {
  const found = new Map<number | string, AlarmingState | undefined>();
  return (value) => {
    if (!found.has(value)) found.set(value, matchState(rules, value));
    return found.get(value);
  };
}
