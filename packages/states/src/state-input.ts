import { type DomainError, invalid } from '@catchment/errors';
import { normaliseObjectId, QUALITY_MAX, textProblem } from '@catchment/ids';
import type { JsonObject } from '@catchment/json-body';
import { MAX_OCCURRENCES, NOTIFY_MODES, type NotifyMode } from './state.ts';
import type { StoredState } from './stored-states.ts';

const NAME_MAX = 60;
const MESSAGE_MAX = 255;

export const invalidStates = (attribute: string, rule: string): DomainError =>
  invalid('INVALID_STATES', `${attribute} ${rule}`);

/**
 * The attributes given in `input` over those of `base`; each by itself is well-formed afterwards, what they mean together
 * is `checkStates`. Read-only and unknown attributes are ignored.
 * @param at what a refusal calls the entry, for example `states[2]`
 */
export function readState(input: JsonObject, base: StoredState, at: string): StoredState {
  return {
    ...base,
    name: 'name' in input ? readName(input.name, `${at}.name`) : base.name,
    threshold: 'threshold' in input ? readThreshold(input.threshold, `${at}.threshold`) : base.threshold,
    occurrences: readInt(input.occurrences, base.occurrences, OCCURRENCES, `${at}.occurrences`),
    isAlarm: readBoolean(input.isAlarm, base.isAlarm, `${at}.isAlarm`),
    notify: readNotify(input.notify, base.notify, `${at}.notify`),
    categoryId: readCategory(input.categoryId, base.categoryId, `${at}.categoryId`),
    messageAway: readText(input.messageAway, base.messageAway, `${at}.messageAway`),
    messageTowards: readText(input.messageTowards, base.messageTowards, `${at}.messageTowards`),
    qualityCode: readInt(input.qualityCode, base.qualityCode, QUALITY_CODE, `${at}.qualityCode`),
    description: readText(input.description, base.description, `${at}.description`, { lines: true }),
  };
}

function readName(value: unknown, at: string): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name.length === 0 || [...name].length > NAME_MAX) throw invalidStates(at, `must be 1-${NAME_MAX} characters`);
  const problem = textProblem(name);
  if (problem) throw invalidStates(at, problem);
  return name;
}

function readThreshold(value: unknown, at: string): number | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') {
    const problem = textProblem(value, { lines: true });
    if (problem) throw invalidStates(at, problem);
    return value;
  }
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw invalidStates(at, 'must be a finite number, or a text on text parameters');
}

type IntRule<B> = { readonly reset: B; readonly min: number; readonly max: number };
const OCCURRENCES: IntRule<number> = { reset: 1, min: 1, max: MAX_OCCURRENCES };
const QUALITY_CODE: IntRule<number | null> = { reset: null, min: 0, max: QUALITY_MAX };

/** Absent keeps `base`, null gives `reset`. */
function readInt<B extends number | null>(value: unknown, base: B, { reset, min, max }: IntRule<B>, at: string): B {
  if (value === undefined) return base;
  if (value === null) return reset;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw invalidStates(at, `must be a whole number ${min}-${max}`);
  }
  return value as B;
}

function readBoolean(value: unknown, base: boolean, at: string): boolean {
  if (value === undefined) return base;
  if (value === null) return false;
  if (typeof value !== 'boolean') throw invalidStates(at, 'must be true or false');
  return value;
}

function readNotify(value: unknown, base: NotifyMode, at: string): NotifyMode {
  if (value === undefined) return base;
  if (value === null) return 'NEVER';
  const mode = NOTIFY_MODES.find((known) => typeof value === 'string' && known === value.toUpperCase());
  if (mode === undefined) throw invalidStates(at, `must be one of ${NOTIFY_MODES.join(', ')}`);
  return mode;
}

function readCategory(value: unknown, base: string | null, at: string): string | null {
  if (value === undefined) return base;
  if (value === null || value === '') return null;
  const id = typeof value === 'string' ? normaliseObjectId(value) : undefined;
  if (id === undefined) throw invalidStates(at, 'must be the id of a notification category');
  return id;
}

function readText(value: unknown, base: string, at: string, options: { lines?: boolean } = {}): string {
  if (value === undefined) return base;
  if (value === null) return '';
  if (typeof value !== 'string' || [...value].length > MESSAGE_MAX) {
    throw invalidStates(at, `must be a text of at most ${MESSAGE_MAX} characters`);
  }
  const problem = textProblem(value, options);
  if (problem) throw invalidStates(at, problem);
  return value;
}

const orNull = (type: string, more: object = {}) => ({ type: [type, 'null'], ...more });
const MESSAGE_SCHEMA = orNull('string', { maxLength: MESSAGE_MAX });

/** A state has this JSON Schema as a body gives it and as it is shown. */
export const STATE_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    _id: { type: 'string', description: 'Of a state that is to be changed.' },
    name: { type: 'string', minLength: 1, maxLength: NAME_MAX },
    threshold: {
      type: ['number', 'string', 'object', 'null'],
      description: 'A text on text parameters; on Locations, whose states are read-only, an object.',
    },
    occurrences: orNull('integer', { minimum: 1, maximum: MAX_OCCURRENCES, default: 1 }),
    isAlarm: orNull('boolean', { default: false }),
    notify: orNull('string', { enum: [...NOTIFY_MODES, null], default: 'NEVER' }),
    categoryId: orNull('string'),
    messageAway: MESSAGE_SCHEMA,
    messageTowards: MESSAGE_SCHEMA,
    qualityCode: orNull('integer', { minimum: 0, maximum: QUALITY_MAX }),
    description: MESSAGE_SCHEMA,
  },
};
