import { evaluateOpc, type OpcContext, type OpcExpression, type TimeArgument } from '@catchment/time';
import { boundsOf, type GivenRange, planRange, type RecordReader } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import type { QueryOptions } from '../domain/read-options.ts';

/** Unix ms, both inclusive as given. */
export type Bounds = Pick<GivenRange, 'startMs' | 'endMs'>;

/**
 * Returns the bounds, where neither depends on the records of the series; they are checked before nodes are looked up
 * (docs/reference/requests-and-errors.md#order-of-checks).
 * @throws DomainError invalid_argument
 */
export function settleBounds({ start, end, limit, zone }: QueryOptions, nowMs: number): Bounds | undefined {
  if (needsSeries(start) || needsSeries(end)) {
    // Such a bound stands for some time: the check for completeness does not need to know which.
    planRange({ startMs: start && 0, endMs: end && 0, limit });
    return undefined;
  }
  const bounds = {
    startMs: boundMs(start, 'startTime', { nowMs, zone }),
    endMs: boundMs(end, 'endTime', { nowMs, zone }),
  };
  planRange({ ...bounds, limit });
  return bounds;
}

/** Returns the bounds in which FIRST and LAST mean the records of all series of the request (docs/reference/time.md#relative-time). */
export async function evaluateBounds(
  reader: RecordReader,
  nodes: readonly SeriesNode[],
  { start, end, zone }: QueryOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<Bounds> {
  let [firstMs, lastMs]: [number | null, number | null] = [null, null];
  for (const node of nodes) {
    const edges = await boundsOf(reader, { nodeId: node.nodeId, valueType: node.series.valueType }, signal);
    if (edges.firstMs !== null) firstMs = Math.min(edges.firstMs, firstMs ?? edges.firstMs);
    if (edges.lastMs !== null) lastMs = Math.max(edges.lastMs, lastMs ?? edges.lastMs);
  }
  const context = { nowMs, zone, firstMs, lastMs };
  return { startMs: boundMs(start, 'startTime', context), endMs: boundMs(end, 'endTime', context) };
}

export const isOfSeries = ({ base }: OpcExpression): boolean => base === 'FIRST' || base === 'LAST';

export const needsSeries = (argument: TimeArgument | undefined): boolean =>
  argument?.kind === 'relative' && isOfSeries(argument.expression);

const boundMs = (argument: TimeArgument | undefined, name: string, context: OpcContext): number | undefined =>
  argument?.kind === 'relative' ? evaluateOpc(argument.expression, context, name) : argument?.instantMs;
