import { NORMAL } from './state.ts';
import { invalidStates } from './state-input.ts';
import type { StatesFamily, StoredState, StoredStates } from './stored-states.ts';
import { regexSize, regexSource } from './text-pattern.ts';

/** The specification has no such bound; it bounds the work per record. */
export const MAX_STATES = 100;
const TEXT_THRESHOLD_MAX = 10_000;
/** Sizes of the regular expressions of a list together: a text of 10 000 characters stays within a tenth of a second. */
const EXPRESSIONS_MAX = 1_000;

/**
 * Checks a whole list against the rules in docs/reference/states.md#updates-of-states.
 * @throws DomainError invalid_argument naming attribute and rule
 */
export function checkStates(
  family: Exclude<StatesFamily, 'NONE'>,
  { statesType, states }: StoredStates,
  hasCategory: (categoryId: string) => boolean,
): void {
  if (states.length > MAX_STATES) throw invalidStates('states', `must have at most ${MAX_STATES} entries`);
  if (statesType === 'RANGE' && family === 'TEXT')
    throw invalidStates('statesType', 'must be DISCRETE on text parameters');
  states.forEach((state, i) => {
    const isNormal = statesType === 'RANGE' && state.name === NORMAL;
    if (isNormal) checkNormal(state, `states[${i}]`);
    else checkThreshold(state, family, `states[${i}].threshold`);
    checkCategory(state, hasCategory, `states[${i}].categoryId`);
  });
  checkUnique(states);
  if (states.reduce((sum, { threshold }) => sum + expressionSize(threshold), 0) > EXPRESSIONS_MAX) {
    throw invalidStates('states', 'must have smaller regular expressions: together they are too large');
  }
  if (statesType === 'RANGE') checkRange(states);
}

function checkNormal(state: StoredState, at: string): void {
  if (state.threshold !== null) throw invalidStates(`${at}.threshold`, 'must not be given for NORMAL');
  if (state.isAlarm) throw invalidStates(`${at}.isAlarm`, 'must be false for NORMAL');
  if (state.notify !== 'NEVER' && state.notify !== 'ALWAYS') {
    throw invalidStates(`${at}.notify`, 'must be NEVER or ALWAYS for NORMAL');
  }
}

function checkThreshold({ threshold }: StoredState, family: StatesFamily, at: string): void {
  if (family !== 'TEXT') {
    if (typeof threshold !== 'number') throw invalidStates(at, 'must be a number');
    return;
  }
  if (typeof threshold !== 'string' || threshold.length === 0 || threshold.length > TEXT_THRESHOLD_MAX) {
    throw invalidStates(at, `must be a text of 1-${TEXT_THRESHOLD_MAX} characters`);
  }
  const source = regexSource(threshold);
  if (source !== undefined && regexSize(source) === undefined) {
    throw invalidStates(at, 'must hold a valid regular expression (RE2 syntax, not too large) between its slashes');
  }
}

function expressionSize(threshold: StoredState['threshold']): number {
  const source = typeof threshold === 'string' ? regexSource(threshold) : undefined;
  return source === undefined ? 0 : (regexSize(source) ?? 0);
}

function checkCategory(state: StoredState, hasCategory: (id: string) => boolean, at: string): void {
  if (state.categoryId !== null && !hasCategory(state.categoryId)) {
    throw invalidStates(at, 'must be the id of a notification category of the account');
  }
  if (state.notify !== 'NEVER' && state.categoryId === null) {
    throw invalidStates(at, 'is required when notify is not NEVER');
  }
}

function checkUnique(states: readonly StoredState[]): void {
  const names = new Set<string>();
  const thresholds = new Set<number | string>();
  states.forEach((state, i) => {
    const name = state.name.toLowerCase();
    if (names.has(name)) throw invalidStates(`states[${i}].name`, 'must be unique in the list, letter case aside');
    names.add(name);
    if (state.threshold === null) return;
    if (thresholds.has(state.threshold)) throw invalidStates(`states[${i}].threshold`, 'must be unique in the list');
    thresholds.add(state.threshold);
  });
}

function checkRange(states: readonly StoredState[]): void {
  if (!states.some(({ name }) => name === NORMAL)) {
    throw invalidStates('states', `must contain exactly one state named ${NORMAL} when statesType is RANGE`);
  }
  let last = Number.NEGATIVE_INFINITY;
  states.forEach(({ threshold }, i) => {
    if (typeof threshold !== 'number') return;
    if (threshold <= last) {
      throw invalidStates(`states[${i}].threshold`, 'must be above the one before it when statesType is RANGE');
    }
    last = threshold;
  });
}
