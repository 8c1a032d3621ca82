import type { Bounded } from './order.ts';
import { rounded } from './steps.ts';

/** A state in the form. */
export type FormState = Bounded & Readonly<Record<string, unknown>>;

const NORMAL = 'NORMAL';
/** docs/reference/states.md: the server refuses more. */
export const MOST_STATES = 100;

export const statesOf = (value: unknown): readonly FormState[] => (Array.isArray(value) ? (value as FormState[]) : []);

/** NORMAL of a RANGE has no threshold, and is neither renamed nor taken away. */
export const isNormal = (state: FormState, statesType: unknown): boolean =>
  statesType === 'RANGE' && state.name === NORMAL;

const normalIndex = (states: readonly FormState[]): number => states.findIndex(({ name }) => name === NORMAL);

/** Returns −1 for low states of a RANGE, 1 for high ones, 0 for NORMAL and where there is no order. */
export function sideOf(states: readonly FormState[], statesType: unknown, index: number): -1 | 0 | 1 {
  if (statesType !== 'RANGE') return 0;
  const normal = normalIndex(states);
  return index === normal ? 0 : index < normal ? -1 : 1;
}

/** Finds where a new state begins: a step beyond the last one of its side, otherwise at the edge of what the chart shows. */
export function added(
  states: readonly FormState[],
  statesType: unknown,
  side: -1 | 1,
  shown: { readonly low: number; readonly high: number } | undefined,
  step: number,
): readonly FormState[] {
  const thresholds = states.map(({ threshold }) => threshold).filter((value) => typeof value === 'number');
  const edge = side > 0 ? Math.max(...thresholds) : Math.min(...thresholds);
  const from = shown ? (side > 0 ? shown.high : shown.low) : 0;
  const beyond =
    thresholds.length === 0 ? from : side > 0 ? Math.max(edge + 5 * step, from) : Math.min(edge - 5 * step, from);
  const name = freeName(states, statesType !== 'RANGE' ? 'STATE' : side > 0 ? 'HIGH' : 'LOW');
  const state: FormState = { name, threshold: rounded(beyond, step), occurrences: 1, isAlarm: false, notify: 'NEVER' };
  return statesType === 'RANGE' && side < 0 ? [state, ...states] : [...states, state];
}

function freeName(states: readonly FormState[], wanted: string): string {
  const taken = new Set(states.map(({ name }) => String(name ?? '').toLowerCase()));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted} ${n}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** Returns the list that a change of the type begins with (docs/reference/states.md#state-attributes). */
export const firstStates = (statesType: unknown): readonly FormState[] =>
  statesType === 'RANGE' ? [{ name: NORMAL, threshold: null }] : [];

/** Returns indices in the order in which people read them: the highest first, as in the chart beside. */
export const readingOrder = (states: readonly FormState[], statesType: unknown): readonly number[] => {
  const indices = states.map((_, i) => i);
  return statesType === 'RANGE' ? indices.toReversed() : indices;
};

/** States that raise the alarm, by their names. */
export const alarming = (states: readonly FormState[]): readonly string[] =>
  states.filter(({ isAlarm }) => isAlarm === true).map(({ name }) => String(name ?? ''));

/** Returns categories by which anybody is notified of states and alarms, each once. */
export function categoriesIn(states: readonly FormState[], alarms: unknown): readonly string[] {
  const configs = Object.values((alarms ?? {}) as Record<string, { config?: FormState } | null>).flatMap(
    (alarm) => alarm?.config ?? [],
  );
  const used = ([...states, ...configs] as readonly FormState[])
    .filter(({ notify, isEnabled }) => typeof notify === 'string' && notify !== 'NEVER' && isEnabled !== false)
    .flatMap(({ categoryId }) => (typeof categoryId === 'string' ? [categoryId] : []));
  return [...new Set(used)];
}
