import type { ChartAggregation } from './chart-settings.ts';
import { type AggregateArguments, automaticArguments, reductionOf } from './reduction.ts';

/** No record stands out in rows of these settings. */
const ROWS = { kind: 'LINE', lineType: 'SPLINE' } as const;

/**
 * Returns the aggregate of charts that put values of several series into rows; undefined = records. AUTOMATIC is none of them: results
 * between records would be rows that nobody measured, and directions have no average.
 */
export function rowAggregate(
  aggregation: ChartAggregation,
  range: { readonly startMs: number; readonly endMs: number },
): AggregateArguments | undefined {
  if (aggregation.mode === 'AUTOMATIC' && aggregation.period === 'AUTOMATIC') return undefined;
  const reduction = reductionOf('VALUES', ROWS, aggregation, undefined);
  if (reduction.kind === 'GIVEN') return reduction.arguments;
  return reduction.kind === 'AUTOMATIC' ? automaticArguments(reduction, range) : undefined;
}
