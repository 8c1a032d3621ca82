import type { Queryable } from '@catchment/pg';
import { type Edges, NO_REPORT, type PlacedInputs, shownOf } from '../../shown/index.ts';
import { hasAnotherValue } from '../domain/series-value.ts';
import { forgetStates } from '../store/pg-alarms.ts';
import { saveValues } from '../store/pg-values.ts';

/** Records of a node whose values are locked (`lockEdges`), before and now. */
export type ChangedEdges = {
  readonly nodeId: string;
  readonly before: Edges;
  readonly edges: Edges;
  readonly updatedMs: number;
};

/** Stores records with what is shown of them; nodes without a place are gone. */
export async function showEdges(
  tx: Queryable,
  changed: readonly ChangedEdges[],
  placed: ReadonlyMap<string, PlacedInputs>,
): Promise<void> {
  const replaced: string[] = [];
  const saved = changed.flatMap(({ nodeId, before, edges, updatedMs }) => {
    const inputs = placed.get(nodeId);
    if (!inputs) return [];
    const isReplaced = hasAnotherValue(before.current, edges.current);
    if (isReplaced) replaced.push(nodeId);
    const shown = shownOf(isReplaced ? { ...inputs, reported: NO_REPORT } : inputs, edges);
    return [{ nodeId, updatedMs, edges, shown }];
  });
  await forgetStates(tx, replaced);
  await saveValues(tx, saved);
}
