import type { Transform } from '@catchment/equation';
import { MAX_OCCURRENCES, matchState, NORMAL, nextState, type State, type StatesConfig } from '@catchment/states';
import type { CodeRecord, History, KeptRecord, ValueRecord } from './history.ts';

/** Alarms need this of a state. */
export type AlarmingState = State & {
  /** Empty = none. */
  readonly categoryId: string;
  readonly messageAway: string;
  readonly messageTowards: string;
};

/** A series is evaluated by these. */
export type SeriesRules = StatesConfig<AlarmingState> & { readonly transform: Transform };

/** The state of a series. A stateId of null means that no state was announced yet, '' that there is none. */
export type Series = { readonly stateId: string | null; readonly history: History };

export type StateStep = {
  readonly from: AlarmingState | undefined;
  readonly to: AlarmingState | undefined;
  readonly timeMs: number;
  /** This record has brought it; undefined: all records were deleted. */
  readonly record: (ValueRecord & CodeRecord) | undefined;
  /** A record that was there was changed or deleted. */
  readonly isCorrected?: boolean;
};

/** Returns NORMAL of a RANGE: what a series without records is in. */
export const normalOf = (rules: SeriesRules): AlarmingState | undefined =>
  rules.statesType === 'RANGE' ? rules.states.find((state) => state.name === NORMAL) : undefined;

/** Returns the state behind an id; one that is unknown, or whose state is gone by now, counts as NORMAL or none. */
export const stateOf = (rules: SeriesRules, stateId: string | null): AlarmingState | undefined =>
  rules.states.find((state) => state.stateId === stateId) ?? normalOf(rules);

const transformed = (rules: SeriesRules, value: number | string): number | string =>
  typeof value === 'number' ? rules.transform.apply(value) : value;

const hasValue = (value: number | string): boolean => !Number.isNaN(value);

/** Returns the number of records in a row that the states of a series need. */
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

/** Makes the stateless match of values, each looked at once: a text may be long, and its expressions many. */
export function matcher(rules: SeriesRules): (value: number | string) => AlarmingState | undefined {
  const found = new Map<number | string, AlarmingState | undefined>();
  return (value) => {
    if (!found.has(value)) found.set(value, matchState(rules, value));
    return found.get(value);
  };
}

type Match = ReturnType<typeof matcher>;

/** Returns the state that a series was in before one of its records, as hysteresis and occurrences over the earlier ones say. */
export function heldBefore(rules: SeriesRules, history: History, index: number, match: Match): string | null {
  const { records } = history;
  const known = records.slice(0, index).findLast(({ stateId }) => stateId !== undefined);
  if (known?.stateId !== undefined) return known.stateId;
  const begins = stateBeforeKept(rules, history, match);
  return records.slice(0, index).reduce((held, _record, n) => stateAt(rules, records, n, held, match), begins);
}

/** The first known record decides by itself if older records are not known. */
function stateBeforeKept(rules: SeriesRules, { records, knownSinceMs }: History, match: Match): string | null {
  const [first] = records;
  if (knownSinceMs === Number.NEGATIVE_INFINITY || !first) return null;
  const value = transformed(rules, first.value);
  return hasValue(value) ? (match(value)?.stateId ?? '') : null;
}

/** Returns the state from the record of this index on. @param held the state before it */
export function stateAt(
  rules: SeriesRules,
  records: readonly ValueRecord[],
  index: number,
  held: string | null,
  match: Match,
): string {
  const window = records.slice(Math.max(0, index + 1 - MAX_OCCURRENCES), index + 1);
  return evaluateRecord(rules, held, window, match).to?.stateId ?? '';
}

/**
 * Returns a series as if its rules had held for all its records (docs/reference/states.md#updates-of-states).
 * @param before the rules that held: where older records are not known, a state that is as it was goes on
 */
export function evaluatedAnew(rules: SeriesRules, history: History, before: SeriesRules | undefined): Series {
  const match = matcher(rules);
  const [first] = history.records;
  const isCut = history.knownSinceMs !== Number.NEGATIVE_INFINITY;
  const goesOn = isCut && before && first?.stateId && isSameState(before, rules, first.stateId);
  let held = goesOn ? first.stateId : stateBeforeKept(rules, history, match);
  const records = history.records.map((record, index): KeptRecord => {
    held = stateAt(rules, history.records, index, held ?? null, match);
    return { ...record, stateId: held };
  });
  return { stateId: held ?? normalOf(rules)?.stateId ?? '', history: { ...history, records } };
}

/** Returns whether what was in a state is in it now: it asks for the same values, and for no more of them in a row. */
function isSameState(before: SeriesRules, after: SeriesRules, stateId: string): boolean {
  const occurrences = ({ states }: SeriesRules) => states.find((state) => state.stateId === stateId)?.occurrences ?? 1;
  const essence = ({ states, hysteresis, transform }: SeriesRules) => {
    const state = states.find((state) => state.stateId === stateId);
    return state && JSON.stringify([state.threshold, state.textThreshold, hysteresis, transform.key]);
  };
  return (
    essence(before) !== undefined && essence(before) === essence(after) && occurrences(after) <= occurrences(before)
  );
}
