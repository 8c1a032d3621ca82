import {
  MAX_OCCURRENCES,
  matchNumber,
  NORMAL,
  nextState,
  type State,
  type StatesConfig,
} from '@catchment/states/evaluation';
import { statesOf } from '../rules/list.ts';
import { configOf } from '../rules/visits.ts';
import { ADDED, type Changes, DELETED, kindAt } from './changes.ts';
import { type Records, type Work, workOf } from './records.ts';

/** Returns the states of a Number parameter (docs/reference/states.md); undefined: it has none that a value can reach. */
export function rulesOf({
  statesType,
  hysteresis,
  states,
}: Readonly<Record<string, unknown>>): StatesConfig | undefined {
  const config = configOf(statesOf(states), statesType, hysteresis);
  return config.states.some(({ threshold }) => threshold !== undefined) ? config : undefined;
}

/** Returns the state after values, oldest first, from NORMAL on: with hysteresis and occurrences (docs/reference/states.md#evaluation). */
export function stateAfter(values: readonly number[], rules: StatesConfig): State | undefined {
  const match = (value: number | string) => (typeof value === 'number' ? matchNumber(rules, value) : undefined);
  let current = rules.statesType === 'RANGE' ? rules.states.find(({ name }) => name === NORMAL) : undefined;
  for (let end = 1; end <= values.length; end += 1)
    current = nextState(rules, current?.stateId, values.slice(Math.max(end - MAX_OCCURRENCES, 0), end), match);
  return current;
}

/** A record's state is found by this many records before the newest one. */
const LOOKS_BACK = 200;

export type Follows = {
  /** The series has this newest record, before and after; undefined: it stays as it is. */
  readonly newest?: { readonly before: Newest | undefined; readonly after: Newest | undefined };
  /** Counts by state how many of the records that change match it, before and after. */
  readonly counts: readonly { readonly name: string; readonly before: number; readonly after: number }[];
};
export type Newest = { readonly ms: number; readonly value: number; readonly state: State | undefined };

/**
 * Computes what follows for states when the changes are saved, by the rules of the parameter alone.
 * @param newestMs time of the newest record of the series; later ones than what was loaded keep the current state as it is
 */
export function followsOf(
  base: Records,
  work: Work,
  changes: Changes,
  rules: StatesConfig | undefined,
  newestMs: number | undefined,
): Follows {
  const [before, after] = [newestOf(workOf(base), rules), newestOf(work, rules)];
  const reaches =
    newestMs === undefined ||
    (base.times.at(-1) ?? Number.POSITIVE_INFINITY) >= newestMs ||
    (after?.ms ?? 0) > newestMs;
  const isOther = before?.ms !== after?.ms || before?.value !== after?.value;
  return {
    ...(reaches && isOther && { newest: { before, after } }),
    counts: rules ? countsOf(base, work, changes, rules) : [],
  };
}

function newestOf(work: Work, rules: StatesConfig | undefined): Newest | undefined {
  const values: number[] = [];
  let newest = -1;
  for (let i = work.times.length - 1; i >= 0 && values.length < LOOKS_BACK; i -= 1) {
    if (work.gone[i] || Number.isNaN(work.values[i]!)) continue;
    if (newest < 0) newest = i;
    values.push(work.values[i]!);
  }
  if (newest < 0) return undefined;
  const state = rules && stateAfter(values.reverse(), rules);
  return { ms: work.times[newest]!, value: work.values[newest]!, state };
}

function countsOf(base: Records, work: Work, { places }: Changes, rules: StatesConfig): Follows['counts'] {
  const counts = new Map<string, { before: number; after: number }>();
  const count = (value: number, when: 'before' | 'after') => {
    const name = matchNumber(rules, value)?.name;
    if (name === undefined) return;
    const known = counts.get(name) ?? { before: 0, after: 0 };
    known[when] += 1;
    counts.set(name, known);
  };
  for (const i of places) {
    const kind = kindAt(base, work, i);
    if (kind !== ADDED) count(base.values[work.origin[i]!]!, 'before');
    if (kind !== DELETED) count(work.values[i]!, 'after');
  }
  return [...counts].flatMap(([name, count]) => (count.before === count.after ? [] : [{ name, ...count }]));
}
