import { rounded } from './steps.ts';

/** A threshold that is no number is still being typed, or absent. */
export type Bounded = { readonly name?: unknown; readonly threshold?: unknown };

/** A threshold may not reach these neighbours (docs/reference/states.md#updates-of-states: a RANGE ascends). */
export type Reach = { readonly above?: Neighbour; readonly below?: Neighbour };
type Neighbour = { readonly name: string; readonly threshold: number };

const neighbourOf = ({ name, threshold }: Bounded): Neighbour | undefined =>
  typeof threshold === 'number' ? { name: String(name ?? ''), threshold } : undefined;

/** Returns the nearest thresholds before and after a state in the list; DISCRETE states have no order. */
export function reachOf(states: readonly Bounded[], statesType: unknown, index: number): Reach {
  if (statesType !== 'RANGE') return {};
  const below = states
    .slice(0, index)
    .map(neighbourOf)
    .findLast((neighbour) => neighbour !== undefined);
  const above = states
    .slice(index + 1)
    .map(neighbourOf)
    .find((neighbour) => neighbour !== undefined);
  return { ...(below && { below }), ...(above && { above }) };
}

export type Placed = {
  readonly threshold: number;
  /** This neighbour was in the way, on that side. */
  readonly stop?: { readonly side: 'above' | 'below' | 'equal'; readonly neighbour: Neighbour };
};

/**
 * Finds where a threshold that is moved by hand comes to stand: on a multiple of the step, and a step before the neighbour that it was
 * moved to or past. Where there is no room for a step between, it stays where it is.
 */
export function placed(
  states: readonly Bounded[],
  statesType: unknown,
  index: number,
  wanted: number,
  step: number,
): Placed {
  const at = rounded(wanted, step);
  const { above, below } = reachOf(states, statesType, index);
  const before = states[index]?.threshold;
  const stay = (threshold: number): number => {
    const isFree = (!above || threshold < above.threshold) && (!below || threshold > below.threshold);
    return isFree || typeof before !== 'number' ? threshold : before;
  };
  if (above && at >= above.threshold)
    return { threshold: stay(lastBefore(above.threshold, step, -1)), stop: { side: 'above', neighbour: above } };
  if (below && at <= below.threshold)
    return { threshold: stay(lastBefore(below.threshold, step, 1)), stop: { side: 'below', neighbour: below } };
  const same = states.find((state, i) => i !== index && state.threshold === at);
  const equal = same && neighbourOf(same);
  if (equal && typeof before === 'number') return { threshold: before, stop: { side: 'equal', neighbour: equal } };
  return { threshold: at };
}

/** Returns the multiple of the step that is nearest to a value on one side of it, and not on it. */
function lastBefore(value: number, step: number, side: -1 | 1): number {
  const near = rounded(value, step);
  return (near - value) * side > 0 ? near : rounded(near + side * step, step);
}

/** Finds what is wrong with the order of a threshold that was typed. */
export function disorderOf(states: readonly Bounded[], statesType: unknown, index: number): Placed['stop'] {
  const threshold = states[index]?.threshold;
  if (typeof threshold !== 'number') return undefined;
  const { above, below } = reachOf(states, statesType, index);
  if (above && threshold >= above.threshold) return { side: 'above', neighbour: above };
  if (below && threshold <= below.threshold) return { side: 'below', neighbour: below };
  const same = states.find((state, i) => i < index && state.threshold === threshold);
  const equal = same && neighbourOf(same);
  return equal && { side: 'equal', neighbour: equal };
}
