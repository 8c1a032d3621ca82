import { isAtOrBeyond, normalIndexOf, type State, type StatesConfig, sideOf } from './state.ts';

type Match<S> = (value: number | string) => S | undefined;

/**
 * Returns the state after a new record (docs/reference/states.md#evaluation).
 * @param currentStateId the state before; undefined, empty or unknown = NORMAL or none
 * @param history values (after the transform) of the last records that have one, the new record's last; 15 are enough for
 *   every rule, fewer when the series has fewer
 * @param match the stateless match of a value, `matchState` or `matchNumber`: the caller may remember those of earlier records
 * @returns undefined for no state (DISCRETE), or when the series has no states
 */
export function nextState<S extends State>(
  config: StatesConfig<S>,
  currentStateId: string | undefined,
  history: readonly (number | string)[],
  match: Match<S>,
): S | undefined {
  const current = config.states.findIndex(({ stateId }) => stateId === currentStateId);
  const value = history.at(-1);
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return config.states[current];
  if (config.statesType === 'DISCRETE') return nextDiscrete(config.states[current], history, match);
  if (config.statesType === 'RANGE') return nextRange(config, current, history);
  return undefined;
}

function nextDiscrete<S extends State>(
  current: S | undefined,
  history: readonly (number | string)[],
  match: Match<S>,
): S | undefined {
  const found = match(history.at(-1)!);
  if (found === undefined) return undefined;
  return lastAll(history, found.occurrences, (value) => match(value) === found) ? found : current;
}

function nextRange<S extends State>(
  config: StatesConfig<S>,
  current: number,
  history: readonly (number | string)[],
): S | undefined {
  const { states, hysteresis } = config;
  const value = history.at(-1);
  if (typeof value !== 'number') return states[current];
  const normal = normalIndexOf(states);

  let keep = normal;
  const side = current < 0 ? 0 : sideOf(current, normal);
  if (side !== 0) {
    for (let i = current; i !== normal; i -= side) {
      if (isAtOrBeyond(states[i]!, side, value, hysteresis)) {
        keep = i;
        break;
      }
    }
  }

  // A value at or beyond a threshold of the other side leaves even a state that a wide hysteresis would hold.
  for (const towards of [1, -1] as const) {
    const nearest = sideOf(keep, normal) === towards ? keep : normal;
    for (let i = towards > 0 ? states.length - 1 : 0; i !== nearest; i -= towards) {
      const state = states[i]!;
      if (lastAll(history, state.occurrences, (v) => typeof v === 'number' && isAtOrBeyond(state, towards, v))) {
        return state;
      }
    }
  }
  return states[keep];
}

/** True when there are `count` values and the last `count` of them pass. */
function lastAll(
  history: readonly (number | string)[],
  count: number,
  passes: (value: number | string) => boolean,
): boolean {
  const needed = Math.max(1, count);
  if (history.length < needed) return false;
  for (let i = history.length - needed; i < history.length; i++) if (!passes(history[i]!)) return false;
  return true;
}

export type SeverityChange = 'escalate' | 'deescalate' | 'none';

/**
 * Says how a state change bears on an alarm (docs/reference/alarms.md#life-cycle, docs/reference/alarms.md#conditions):
 * `escalate` away from NORMAL, to the other side of it, or to another DISCRETE state; `deescalate` towards or into
 * NORMAL, or to no state; `none` when nothing changes. An undefined or unknown id stands for NORMAL or no state.
 */
export function compareSeverity(
  config: StatesConfig,
  fromStateId: string | undefined,
  toStateId: string | undefined,
): SeverityChange {
  const isRange = config.statesType === 'RANGE';
  const normal = isRange ? normalIndexOf(config.states) : -1;
  const indexOf = (id: string | undefined) => {
    const index = config.states.findIndex(({ stateId }) => stateId === id);
    return index < 0 ? normal : index;
  };
  const from = indexOf(fromStateId);
  const to = indexOf(toStateId);
  if (from === to) return 'none';
  if (to === normal) return 'deescalate';
  if (!isRange || sideOf(from, normal) !== sideOf(to, normal)) return 'escalate';
  return Math.abs(to - normal) > Math.abs(from - normal) ? 'escalate' : 'deescalate';
}
