import type { Queryable } from '@catchment/pg';
import { type Edges, type PlacedInputs, shownOf } from '../../shown/index.ts';
import { saveValues } from '../store/pg-values.ts';

/** Records of a node whose values are locked (`lockEdges`). */
export type ChangedEdges = {
  readonly nodeId: string;
  readonly edges: Edges;
  readonly updatedMs: number;
};

/** Stores records with what is shown of them; nodes without a place are gone. */
export async function showEdges(
  tx: Queryable,
  changed: readonly ChangedEdges[],
  placed: ReadonlyMap<string, PlacedInputs>,
): Promise<void> {
  const saved = changed.flatMap(({ nodeId, edges, updatedMs }) => {
    const inputs = placed.get(nodeId);
    return inputs ? [{ nodeId, updatedMs, edges, shown: shownOf(inputs, edges) }] : [];
  });
  await saveValues(tx, saved);
}
