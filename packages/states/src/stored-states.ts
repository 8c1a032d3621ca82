import { NORMAL, type NotifyMode, type State, type StatesConfig, type StatesType } from './state.ts';

/** The node keeps and shows a state like this (docs/reference/states.md#state-attributes), without `_class`. */
export interface StoredState {
  readonly _id: string;
  /** 0-based position. */
  readonly index: number;
  readonly name: string;
  /** null for NORMAL. */
  readonly threshold: number | string | null;
  readonly occurrences: number;
  readonly isAlarm: boolean;
  readonly notify: NotifyMode;
  readonly categoryId: string | null;
  /** Empty = the default text. */
  readonly messageAway: string;
  readonly messageTowards: string;
  readonly qualityCode: number | null;
  readonly description: string;
}

export interface StoredStates {
  /** Empty on Time parameters and Locations. */
  readonly statesType: StatesType | '';
  readonly states: readonly StoredState[];
  readonly hysteresis: number;
}

/**
 * These families of values have states of their own; BOOLEAN is a Number series made of truth values
 * (docs/reference/parameters.md#types).
 */
export type StatesFamily = 'NUMBER' | 'BOOLEAN' | 'TEXT' | 'NONE';

const plain = (_id: string, index: number, name: string, threshold: number | null): StoredState => ({
  _id,
  index,
  name,
  threshold,
  occurrences: 1,
  isAlarm: false,
  notify: 'NEVER',
  categoryId: null,
  messageAway: '',
  messageTowards: '',
  qualityCode: null,
  description: '',
});

/**
 * Defaults in docs/reference/states.md#state-attributes and docs/reference/parameters.md#types. `newId` makes the ObjectIds
 * of the states.
 */
export function defaultStates(family: StatesFamily, newId: () => string): StoredStates {
  switch (family) {
    case 'NUMBER':
      return { statesType: 'RANGE', states: [plain(newId(), 0, NORMAL, null)], hysteresis: 0 };
    case 'BOOLEAN':
      return {
        statesType: 'DISCRETE',
        states: [plain(newId(), 0, 'TRUE', 1), plain(newId(), 1, 'FALSE', 0)],
        hysteresis: 0,
      };
    case 'TEXT':
      return { statesType: 'DISCRETE', states: [], hysteresis: 0 };
    case 'NONE':
      return { statesType: '', states: [], hysteresis: 0 };
  }
}

/** The part of a stored state that matching and evaluation need. */
function toState(stored: StoredState): State {
  return {
    stateId: stored._id,
    name: stored.name,
    ...(typeof stored.threshold === 'number' ? { threshold: stored.threshold } : {}),
    ...(typeof stored.threshold === 'string' ? { textThreshold: stored.threshold } : {}),
    occurrences: stored.occurrences,
    isAlarm: stored.isAlarm,
    ...(stored.qualityCode === null ? {} : { qualityCode: stored.qualityCode }),
  };
}

export const toStatesConfig = (stored: StoredStates): StatesConfig => ({
  statesType: stored.statesType,
  states: stored.states.map(toState),
  hysteresis: stored.hysteresis,
});
