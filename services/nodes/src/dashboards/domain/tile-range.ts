import { invalid } from '@catchment/errors';
import { argumentReader, PAGE } from '@catchment/query';
import { type EffectiveZone, evaluateOpc, parseOpc, readTimeArgument, type TimeArgument } from '@catchment/time';
import type { ViewedNode } from '../../views/index.ts';

export type TimeRange = { readonly startMs: number; readonly endMs: number };

/** Times are relative to these. */
type RangeContext = {
  readonly nowMs: number;
  readonly zone: EffectiveZone;
  /** Records of these nodes are shown: FIRST and LAST are theirs. */
  readonly nodes: readonly ViewedNode[];
};

/** Returns the range of a `period`: it ends now, and one that begins relative to LAST with the newest record. */
export function periodRange(period: string, context: RangeContext): TimeRange {
  const expression = parseOpc(period);
  if (!expression) return { startMs: context.nowMs, endMs: context.nowMs };
  const times = { ...context, ...edgesOf(context) };
  const startMs = evaluateOpc(expression, times);
  const endMs = expression.base === 'LAST' ? (times.lastMs ?? context.nowMs) : context.nowMs;
  return { startMs: Math.min(startMs, endMs), endMs };
}

/**
 * Returns a range that somebody asks for; a bound that is not given is that of the period.
 * @param names of the arguments, for refusals
 * @throws DomainError invalid_argument
 */
export function givenRange(
  given: { readonly start: TimeArgument | undefined; readonly end: TimeArgument | undefined },
  period: TimeRange,
  context: RangeContext,
  names: readonly [start: string, end: string],
): TimeRange {
  const times = { ...context, ...edgesOf(context) };
  const [start, end] = [given.start, given.end].map((time, i) =>
    time?.kind === 'relative' ? evaluateOpc(time.expression, times, names[i]) : time?.instantMs,
  );
  const endMs = end ?? Math.max(period.endMs, start ?? period.endMs);
  const startMs = start ?? Math.min(endMs - (period.endMs - period.startMs), endMs);
  if (startMs > endMs) throw invalid('RANGE_REVERSED', `${names[0]}: must not be after ${names[1]}`);
  return { startMs, endMs };
}

/**
 * Reads the range in the page's address, by which a parameter's page shows another one.
 * @throws DomainError invalid_argument
 */
export function pageBounds(given: Readonly<Record<string, string>>, zone: EffectiveZone) {
  const read = argumentReader(PAGE, given, zone);
  return { start: read('startTime'), end: read('endTime') };
}

/** @throws DomainError invalid_argument */
export const tileBound = (name: string, text: string, zone: EffectiveZone): TimeArgument | undefined =>
  text === '' ? undefined : readTimeArgument(name, text, zone);

function edgesOf({ nodes }: RangeContext): { firstMs: number | null; lastMs: number | null } {
  const of = (edge: 'oldest' | 'current') => nodes.flatMap(({ edges }) => edges[edge]?.ms ?? []);
  const [first, last] = [of('oldest'), of('current')];
  return {
    firstMs: first.length > 0 ? Math.min(...first) : null,
    lastMs: last.length > 0 ? Math.max(...last) : null,
  };
}
