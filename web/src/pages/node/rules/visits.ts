import { MAX_OCCURRENCES, type State, type StatesConfig } from '@catchment/states/evaluation';
import type { FormState } from './list.ts';

export type Reading = { readonly ms: number; readonly value: number | string };
type Match = (config: StatesConfig, value: number | string) => State | undefined;
type Next = (
  config: StatesConfig,
  currentStateId: string | undefined,
  history: readonly (number | string)[],
  match: (value: number | string) => State | undefined,
) => State | undefined;
/** The rule comes from the package that the alarms service has it from. */
export type Rule = { readonly next: Next; readonly match: Match };

/** A state would have had these visits in a time. */
export type Visits = {
  readonly entries: number;
  readonly ms: number;
  /** The state was entered last then. */
  readonly lastMs?: number;
};

/** States as the rule reads them, by their place in the list: they may have no id yet. A state that is half typed is left out. */
export function configOf(states: readonly FormState[], statesType: unknown, hysteresis: unknown): StatesConfig {
  return {
    statesType: String(statesType ?? ''),
    hysteresis: typeof hysteresis === 'number' && hysteresis > 0 ? hysteresis : 0,
    states: states.map(({ name, threshold, occurrences, isAlarm }, i) => ({
      stateId: String(i),
      name: String(name ?? ''),
      ...(typeof threshold === 'number' && { threshold }),
      ...(typeof threshold === 'string' && threshold !== '' && { textThreshold: threshold }),
      occurrences:
        typeof occurrences === 'number' ? Math.min(Math.max(Math.trunc(occurrences), 1), MAX_OCCURRENCES) : 1,
      isAlarm: isAlarm === true,
    })),
  };
}

/**
 * Counts how often records would have led into each state, and for how long each would have lasted, in the order of the list.
 * @param readings ascending; those before `from` lead to the state that the time begins with, and are not counted
 */
export function visitsOf(
  { next, match }: Rule,
  config: StatesConfig,
  readings: readonly Reading[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly Visits[] {
  const visits = config.states.map(() => ({ entries: 0, ms: 0, lastMs: undefined as number | undefined }));
  const history: (number | string)[] = [];
  const matches = (value: number | string) => match(config, value);
  let current: string | undefined;
  let sinceMs = from;
  const stay = (untilMs: number) => {
    const visit = current === undefined ? undefined : visits[Number(current)];
    if (visit) visit.ms += Math.max(untilMs - Math.max(sinceMs, from), 0);
  };
  let hasBegun = false;
  for (const { ms, value } of readings) {
    if (ms > to) break;
    history.push(value);
    if (history.length > MAX_OCCURRENCES) history.shift();
    const state = next(config, current, history, matches)?.stateId;
    if (state !== current) {
      stay(ms);
      // The first record of all is in its state, and has not come to it.
      const visit = state === undefined || !hasBegun || ms < from ? undefined : visits[Number(state)];
      if (visit) {
        visit.entries += 1;
        visit.lastMs = ms;
      }
      current = state;
      sinceMs = ms;
    }
    hasBegun = true;
  }
  stay(Math.min(readings.at(-1)?.ms ?? from, to));
  return visits.map(({ lastMs, ...visit }) => ({ ...visit, ...(lastMs !== undefined && { lastMs }) }));
}
