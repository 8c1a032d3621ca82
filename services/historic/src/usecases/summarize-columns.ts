import { DomainError, tooLarge } from '@catchment/errors';
import { IntervalFolder } from '../domain/aggregate/interval-folder.ts';
import type { Collect } from './collect-records.ts';
import type { IntervalPlan } from './plan-intervals.ts';
import type { Column } from './read-column.ts';

export type PlannedColumn = { readonly column: Column; readonly plan: IntervalPlan };

/**
 * Asks the store about all columns that have a question, those with the same one in one statement. Absent from the result:
 * columns that the service computes, also because the store could not write its figures (a sum over all bounds).
 * @throws DomainError too_large when their intervals alone are more than an answer may have
 */
export async function summarizeColumns(
  { summaries, budget, signal }: Pick<Collect, 'summaries' | 'budget' | 'signal'>,
  planned: readonly PlannedColumn[],
): Promise<Map<Column, IntervalFolder>> {
  const folders = new Map<Column, IntervalFolder>();
  const intervals = planned.reduce((sum, { plan }) => sum + Math.max(plan.bounds.length - 1, 0), 0);
  if (intervals > budget.limits.maxRecords) throw tooLarge();
  if (!summaries) return folders;
  const groups = Map.groupBy(
    planned.filter(({ plan }) => plan.question),
    ({ plan }) => JSON.stringify(plan.question),
  );
  for (const group of groups.values()) {
    const question = group[0]?.plan.question;
    if (!question) continue;
    const made = new Map(group.map(({ column, plan }) => [column, folderOf(column, plan)]));
    const bySeries = Map.groupBy(group, ({ column }) => column.node.nodeId);
    try {
      await summaries.summarize([...bySeries.keys()], question, signal, (nodeId, bucket) => {
        for (const { column } of bySeries.get(nodeId) ?? []) made.get(column)?.add(bucket);
      });
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      continue;
    }
    for (const [column, folder] of made) {
      folder.finish();
      folders.set(column, folder);
    }
  }
  return folders;
}

const folderOf = ({ node }: Column, { aggregate, bounds }: IntervalPlan) => new IntervalFolder(aggregate, node, bounds);

const isUnwritable = (error: unknown): boolean =>
  error instanceof DomainError && (error.reason === 'INFLUX_ANSWER_CUT' || error.reason === 'INFLUX_REFUSED');
