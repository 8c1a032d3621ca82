import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { checkStates, MAX_STATES } from './check-states.ts';
import { NORMAL, STATES_TYPES, type StatesType } from './state.ts';
import { invalidStates, readState } from './state-input.ts';
import { defaultStates, type StatesFamily, type StoredState, type StoredStates } from './stored-states.ts';

/** Attributes of a node update, as parsed from JSON; undefined = not given. */
export interface StatesUpdate {
  readonly statesType?: unknown;
  readonly states?: unknown;
  readonly hysteresis?: unknown;
}

export interface StatesDeps {
  readonly newId: () => string;
  /** Is this a notification category of the account? */
  readonly hasCategory: (categoryId: string) => boolean;
}

/**
 * Returns the states of a node after an update (docs/reference/states.md#updates-of-states): `states: null` restores the defaults;
 * entries with `_id` change those states (then entries without are ignored); a list without any `_id` replaces all; another
 * `statesType` without states gives that type's defaults.
 * @throws DomainError invalid_argument naming attribute and rule
 */
export function updateStates(
  family: StatesFamily,
  current: StoredStates,
  update: StatesUpdate,
  deps: StatesDeps,
): StoredStates {
  if (family === 'NONE') return refuseAny(update, current);
  if (update.states === null) return withHysteresis(defaultStates(family, deps.newId), update.hysteresis);

  const statesType = readStatesType(update.statesType) ?? (current.statesType || 'DISCRETE');
  const typeChanged = statesType !== current.statesType;
  let states = current.states;
  if (update.states !== undefined) states = readList(update.states, current.states, deps.newId);
  else if (typeChanged) states = statesType === 'RANGE' ? defaultStates('NUMBER', deps.newId).states : [];

  const result = withHysteresis(
    { statesType, states, hysteresis: statesType === 'RANGE' ? current.hysteresis : 0 },
    update.hysteresis,
  );
  checkStates(family, result, deps.hasCategory);
  return result;
}

function refuseAny(update: StatesUpdate, current: StoredStates): StoredStates {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  for (const attribute of ['states', 'statesType', 'hysteresis'] as const) {
    if (isGiven(update[attribute])) throw invalidStates(attribute, 'is not supported by this kind of node');
  }
  return current;
}

function readStatesType(value: unknown): StatesType | undefined {
  if (value === undefined || value === null) return undefined;
  const type = STATES_TYPES.find((known) => typeof value === 'string' && known === value.toUpperCase());
  if (type === undefined) throw invalidStates('statesType', `must be one of ${STATES_TYPES.join(', ')}`);
  return type;
}

function withHysteresis(states: StoredStates, value: unknown): StoredStates {
  if (value === undefined) return states;
  if (value === null) return { ...states, hysteresis: 0 };
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw invalidStates('hysteresis', 'must be a number of 0 or above');
  }
  if (value > 0 && states.statesType !== 'RANGE') {
    throw invalidStates('hysteresis', 'must be 0 unless statesType is RANGE');
  }
  return { ...states, hysteresis: value };
}

function readList(input: unknown, current: readonly StoredState[], newId: () => string): readonly StoredState[] {
  if (!Array.isArray(input)) throw invalidStates('states', 'must be an array');
  if (input.length > MAX_STATES) throw invalidStates('states', `must have at most ${MAX_STATES} entries`);
  const entries = input.map((entry: unknown, i) => {
    if (!isJsonObject(entry)) throw invalidStates(`states[${i}]`, 'must be an object');
    return entry;
  });
  return entries.some(hasId) ? changeById(entries, current) : entries.map((entry, i) => newState(entry, i, newId));
}

const hasId = (entry: JsonObject): boolean => entry._id !== undefined && entry._id !== null && entry._id !== '';

function newState(entry: JsonObject, index: number, newId: () => string): StoredState {
  const blank = defaultStates('NUMBER', newId).states[0]!;
  return { ...readState({ ...entry, name: entry.name }, blank, `states[${index}]`), index };
}

/** Order stays as it is, so no state can come to the other side of NORMAL; thresholds out of order are refused after. */
function changeById(entries: readonly JsonObject[], current: readonly StoredState[]): readonly StoredState[] {
  const result = [...current];
  const seen = new Set<number>();
  entries.forEach((entry, i) => {
    if (!hasId(entry)) return;
    const id = typeof entry._id === 'string' ? entry._id.toLowerCase() : '';
    const index = current.findIndex(({ _id }) => _id === id);
    if (index < 0) throw invalidStates(`states[${i}]._id`, 'must be the id of a state of this node');
    if (seen.has(index)) throw invalidStates(`states[${i}]._id`, 'must be unique in the list');
    seen.add(index);
    const before = current[index]!;
    const after = readState(entry, before, `states[${i}]`);
    if (before.name === NORMAL && before.threshold === null && after.name !== NORMAL) {
      throw invalidStates(`states[${i}].name`, `must stay ${NORMAL}`);
    }
    result[index] = after;
  });
  return result;
}
