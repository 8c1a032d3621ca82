import { tooLarge } from '@catchment/errors';
import { inParallel } from '@catchment/fair-queue';
import type { Column } from '../../columns/index.ts';
import { isUnwritable } from '../../influx/index.ts';
import { IntervalFolder, IntervalResults } from '../domain/interval-folder.ts';
import type { StoreQuestion } from '../domain/store-plan.ts';
import type { IntervalPlan, SummarizedCollect } from './plan-intervals.ts';

type PlannedColumn = { readonly column: Column; readonly plan: IntervalPlan };

/** This many runs of a question go at a time: InfluxDB computes each on one processor. */
const RUNS_AT_A_TIME = 2;

/**
 * Asks the store about all columns that have a question, those with the same one together. Absent from the result:
 * columns that the service computes, also because the store could not write its figures (a sum over all bounds).
 * @throws DomainError too_large when their intervals alone are more than an answer may have
 */
export async function summarizeColumns(
  { summaries, budget, signal }: Pick<SummarizedCollect, 'summaries' | 'budget' | 'signal'>,
  planned: readonly PlannedColumn[],
): Promise<Map<Column, IntervalResults>> {
  const results = new Map<Column, IntervalResults>();
  const intervals = planned.reduce((sum, { plan }) => sum + Math.max(plan.bounds.length - 1, 0), 0);
  if (intervals > budget.limits.maxRecords) throw tooLarge();
  if (!summaries) return results;
  const groups = Map.groupBy(
    planned.filter(({ plan }) => plan.question),
    ({ plan }) => JSON.stringify(plan.question),
  );
  for (const group of groups.values()) {
    const question = group[0]?.plan.question;
    if (!question) continue;
    const made = new Map(group.map(({ column, plan }) => [column, foldersOf(column, plan, question)]));
    const bySeries = Map.groupBy(group, ({ column }) => column.node.nodeId);
    try {
      await inParallel([...question.runs.entries()], { atOnce: RUNS_AT_A_TIME, signal }, async ([n, run], stopping) => {
        if (run.fromMs >= run.toMs) return;
        await summaries.summarize([...bySeries.keys()], question.calls, run, stopping, (nodeId, bucket) => {
          for (const { column } of bySeries.get(nodeId) ?? []) made.get(column)?.[n]?.add(bucket);
        });
      });
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      continue;
    }
    for (const [column, parts] of made) results.set(column, new IntervalResults(parts));
  }
  return results;
}

const foldersOf = ({ node }: Column, { figure, bounds }: IntervalPlan, { runs }: StoreQuestion) =>
  runs.map(({ first, end }) => new IntervalFolder(figure.aggregate, node, bounds.slice(first, end + 1)));
