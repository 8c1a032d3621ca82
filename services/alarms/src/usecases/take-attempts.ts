import { AlarmChanges } from '../domain/alarm-changes.ts';
import { alarmTypesOn } from '../domain/alarm-types.ts';
import { ATTEMPTS } from '../domain/conditions/attempt.ts';
import type { AlarmStore, KnownNodes, NodeAttempt } from './ports.ts';

type Deps = { readonly store: AlarmStore; readonly known: Pick<KnownNodes, 'load'> };

const TYPES = ATTEMPTS.flatMap(alarmTypesOn);

/**
 * Takes the attempts that services report, in order: raises and clears alarms about them, and writes their events. A message that
 * comes twice, or after a later one, changes nothing.
 * @throws DomainError unavailable while nodes is away
 */
export async function takeAttempts(deps: Deps, attempts: readonly NodeAttempt[], signal: AbortSignal): Promise<void> {
  if (attempts.length === 0) return;
  // Another reader makes nodes known, perhaps later than this one hears of them.
  await deps.known.load(
    attempts.flatMap(({ nodeId, sourceId, ownerId }) => [
      { nodeId, ownerId },
      { nodeId: sourceId, ownerId },
    ]),
    signal,
  );
  const nodeIds = [...new Set(attempts.map(({ nodeId }) => nodeId))].sort();
  await deps.store.transaction(async (tx) => {
    const nodes = await tx.nodes(nodeIds);
    const isNews = await tx.advanceAttempts(attempts);
    const changes = new AlarmChanges(await tx.alarms(nodeIds, TYPES));
    for (const attempt of attempts) {
      const found = nodes.get(attempt.nodeId);
      const isConcerned = found?.isSourceEnabled && found.node.ownerId === attempt.ownerId;
      if (isConcerned && isNews(attempt)) changes.take(found.node, attempt.attempt);
    }
    await tx.save(changes.changes);
  });
}
