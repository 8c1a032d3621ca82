import { ADDED, type Changes, DELETED, kindAt } from './changes.ts';
import { type Records, type Work, workOf } from './records.ts';

export type State = {
  readonly name: string;
  readonly threshold?: number | null;
  readonly isAlarm?: boolean;
  readonly occurrences?: number;
};
export type Rules = {
  readonly type: 'RANGE' | 'DISCRETE';
  readonly hysteresis: number;
  /** RANGE: ascending, with NORMAL in its place. */
  readonly states: readonly State[];
};

/** The states of a Number parameter (docs/reference/states.md); undefined: it has none that a value can reach. */
export function rulesOf(node: Readonly<Record<string, unknown>>): Rules | undefined {
  const { statesType, hysteresis, states } = node;
  if ((statesType !== 'RANGE' && statesType !== 'DISCRETE') || !Array.isArray(states)) return undefined;
  if (!states.some(({ threshold }: State) => typeof threshold === 'number')) return undefined;
  return { type: statesType, hysteresis: typeof hysteresis === 'number' ? hysteresis : 0, states };
}

/** The state that a value matches by itself. */
export function matched(value: number, { type, states }: Rules): State | undefined {
  if (type === 'DISCRETE')
    return states.find(
      ({ threshold }) => typeof threshold === 'number' && Math.abs(value - threshold) <= 1e-9 * Math.abs(threshold),
    );
  const normal = normalOf(states);
  for (let i = states.length - 1; i > normal; i -= 1) if (value >= states[i]!.threshold!) return states[i];
  for (let i = 0; i < normal; i += 1) if (value <= states[i]!.threshold!) return states[i];
  return states[normal];
}

const normalOf = (states: readonly State[]): number =>
  states.findIndex(({ threshold }) => typeof threshold !== 'number');

/** The state after some values, oldest first: with hysteresis and occurrences (docs/reference/states.md#evaluation), beginning from NORMAL. */
export function stateAfter(values: readonly number[], rules: Rules): State | undefined {
  const { type, states, hysteresis } = rules;
  if (type === 'DISCRETE') {
    let current: State | undefined;
    for (let n = 0; n < values.length; n += 1) {
      const next = matched(values[n]!, rules);
      const needed = next?.occurrences ?? 1;
      const isReached = n + 1 >= needed && lastOf(values, n, needed).every((value) => matched(value, rules) === next);
      if (next === undefined || isReached) current = next;
    }
    return current;
  }
  const normal = normalOf(states);
  let at = normal;
  for (let n = 0; n < values.length; n += 1) {
    const value = values[n]!;
    at = held(value, at);
    const side = value >= (states[normal + 1]?.threshold ?? Number.POSITIVE_INFINITY) ? 1 : -1;
    const end = side > 0 ? states.length - 1 : 0;
    const from = (at - normal) * side > 0 ? at : normal;
    for (let i = end; (i - from) * side > 0; i -= side) {
      const { threshold, occurrences = 1 } = states[i]!;
      const isBeyond = (one: number) => (side > 0 ? one >= threshold! : one <= threshold!);
      if (n + 1 < occurrences || !lastOf(values, n, occurrences).every(isBeyond)) continue;
      at = i;
      break;
    }
  }
  return states[at];

  function held(value: number, from: number): number {
    const side = Math.sign(from - normal);
    for (let i = from; i !== normal; i -= side) {
      const { threshold } = states[i]!;
      if (side > 0 ? value >= threshold! - hysteresis : value <= threshold! + hysteresis) return i;
    }
    return normal;
  }
}

const lastOf = (values: readonly number[], n: number, count: number): readonly number[] =>
  values.slice(Math.max(n + 1 - count, 0), n + 1);

/** Records before the newest one that its state is found by. */
const LOOKS_BACK = 200;

export type Follows = {
  /** The newest record of the series, before and after; undefined: it stays as it is. */
  readonly newest?: { readonly before: Newest | undefined; readonly after: Newest | undefined };
  /** By state: how many of the records that change match it, before and after. */
  readonly counts: readonly { readonly name: string; readonly before: number; readonly after: number }[];
};
export type Newest = { readonly ms: number; readonly value: number; readonly state: State | undefined };

/**
 * What follows for states when the changes are saved, by the rules of the parameter alone.
 * @param newestMs time of the newest record of the series; later ones than what was loaded keep the current state as it is
 */
export function followsOf(
  base: Records,
  work: Work,
  changes: Changes,
  rules: Rules | undefined,
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

function newestOf(work: Work, rules: Rules | undefined): Newest | undefined {
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

function countsOf(base: Records, work: Work, { places }: Changes, rules: Rules): Follows['counts'] {
  const counts = new Map<string, { before: number; after: number }>();
  const count = (value: number, when: 'before' | 'after') => {
    const name = Number.isNaN(value) ? undefined : matched(value, rules)?.name;
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
  return [...counts].flatMap(([name, one]) => (one.before === one.after ? [] : [{ name, ...one }]));
}
