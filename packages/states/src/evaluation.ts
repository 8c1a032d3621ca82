/**
 * A page in a browser needs this to count the states of records: no library for expressions, and nothing that reads
 * bodies.
 */
export { matchNumber } from './match-number.ts';
export { nextState } from './next-state.ts';
export { MAX_OCCURRENCES, NORMAL, type State, type StatesConfig } from './state.ts';
