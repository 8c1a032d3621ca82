import { alarmTypesOn } from '../domain/alarm-types.ts';
import { AlarmChanges } from './alarm-changes.ts';
import type { AlarmStore, KnownNodes } from './ports.ts';

type Deps = { readonly store: AlarmStore; readonly known: Pick<KnownNodes, 'load'> };

/** How a run of a rating ended; Unix ms. */
export type RunOutcome = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly sourceId: string;
  /** Empty: it succeeded. */
  readonly failure: string;
  readonly timeMs: number;
};

/**
 * What became of ratings, in order: processAlarms of their nodes, and the events about them. An outcome that comes twice
 * changes nothing.
 * @throws DomainError unavailable while nodes is away
 */
export async function settleRatings(deps: Deps, outcomes: readonly RunOutcome[], signal: AbortSignal): Promise<void> {
  // Another reader makes nodes known, perhaps later than this one hears of them.
  await deps.known.load(
    outcomes.flatMap(({ nodeId, sourceId, ownerId }) => [
      { nodeId, ownerId },
      { nodeId: sourceId, ownerId },
    ]),
    signal,
  );
  const nodeIds = [...new Set(outcomes.map(({ nodeId }) => nodeId))].sort();
  await deps.store.transaction(async (tx) => {
    const nodes = await tx.nodes(nodeIds);
    const changes = new AlarmChanges(await tx.alarms(nodeIds, alarmTypesOn('run')));
    for (const { nodeId, failure, timeMs } of outcomes) {
      const found = nodes.get(nodeId);
      if (found?.isSourceEnabled) changes.take(found.node, { kind: 'run', failure, timeMs });
    }
    if (changes.changes.alarms.length > 0) await tx.save(changes.changes);
  });
}
