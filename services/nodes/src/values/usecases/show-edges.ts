import { Pace } from '@catchment/fair-queue';
import type { Queryable } from '@catchment/pg';
import { type Edges, type PlacedInputs, shownOf } from '../../shown/index.ts';
import type { SavedEdges, SaveValues } from './ports.ts';

/** Records of a node whose values are locked (`lockEdges`). */
export type ChangedEdges = {
  readonly nodeId: string;
  readonly edges: Edges;
  readonly updatedMs: number;
};

/** Stores records with what is shown of them; nodes without a place are gone. */
export async function showEdges(
  saveValues: SaveValues,
  tx: Queryable,
  changed: readonly ChangedEdges[],
  placed: ReadonlyMap<string, PlacedInputs>,
): Promise<void> {
  const pace = new Pace();
  const saved: SavedEdges[] = [];
  for (const { nodeId, edges, updatedMs } of changed) {
    const inputs = placed.get(nodeId);
    // The states of a text may take long to find.
    if (inputs) saved.push({ nodeId, updatedMs, edges, shown: shownOf(inputs, edges) });
    if (pace.isOver) await pace.next();
  }
  await saveValues(tx, saved);
}
