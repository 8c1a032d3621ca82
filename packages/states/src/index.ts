export { MAX_STATES } from './check-states.ts';
export { matchState, qualityCodeFor } from './match-state.ts';
export { compareSeverity, nextState } from './next-state.ts';
export {
  MAX_OCCURRENCES,
  NORMAL,
  NOTIFY_MODES,
  type NotifyMode,
  STATES_TYPES,
  type State,
  type StatesConfig,
  type StatesType,
} from './state.ts';
export { STATE_SCHEMA } from './state-input.ts';
export {
  defaultStates,
  type StatesFamily,
  type StoredState,
  type StoredStates,
  toStatesConfig,
} from './stored-states.ts';
export { regexSize, searchOf, textMatches } from './text-pattern.ts';
export { type StatesUpdate, updateStates } from './update-states.ts';
