import type { EffectiveZone } from '@catchment/time';
import { evaluateRange, needsEdges, type TimeRange } from '../domain/chart-arguments.ts';
import type { Parameter } from '../domain/parameter.ts';
import type { Call, SeriesRecords } from './ports.ts';
import { readInParallel } from './read-in-parallel.ts';

/**
 * A range in Unix ms. FIRST and LAST are the first and the last record of all its parameters.
 * @throws DomainError invalid_argument when it ends before it starts
 */
export async function evaluatedRange(
  records: SeriesRecords,
  times: TimeRange & { readonly zone: EffectiveZone },
  parameters: readonly Parameter[],
  { nowMs, call }: { readonly nowMs: number; readonly call: Call },
): Promise<{ startMs: number; endMs: number }> {
  if (!needsEdges(times)) return evaluateRange(times, { nowMs });
  return evaluateRange(times, { nowMs, ...(await edgesOf(records, parameters, call)) });
}

/** Finds the times of the first and of the last record of any; null without any. */
export async function edgesOf(
  records: SeriesRecords,
  parameters: readonly Parameter[],
  call: Call,
): Promise<{ firstMs: number | null; lastMs: number | null }> {
  const edges = await readInParallel(parameters, call, (parameter, read) => records.edges(parameter, read));
  const first = edges.flatMap(({ firstMs }) => firstMs ?? []);
  const last = edges.flatMap(({ lastMs }) => lastMs ?? []);
  return {
    firstMs: first.length === 0 ? null : Math.min(...first),
    lastMs: last.length === 0 ? null : Math.max(...last),
  };
}
