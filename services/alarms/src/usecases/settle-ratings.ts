import { type Alarm, CLEARED } from '../domain/alarm.ts';
import { alarmTypesOf } from '../domain/alarm-types.ts';
import { processNews, type RunOutcome } from '../domain/process-condition.ts';
import type { AlarmStore, KnownNodes, NewEvent, NodeAlarm } from './ports.ts';

type Deps = { readonly store: AlarmStore; readonly known: Pick<KnownNodes, 'load'> };

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
    const stored = await tx.alarms(nodeIds, ['processAlarm']);
    const alarms = new Map<string, Alarm>(stored.map(({ nodeId, alarm }) => [nodeId, alarm]));
    const changed = new Map<string, NodeAlarm>();
    const events: NewEvent[] = [];
    for (const outcome of outcomes) {
      const found = nodes.get(outcome.nodeId);
      if (!found?.isSourceEnabled || !alarmTypesOf(found.node.nodeClass).includes('processAlarm')) continue;
      const { node } = found;
      const news = processNews(alarms.get(node.nodeId) ?? CLEARED, node, outcome);
      if (!news) continue;
      const { alarm, eventState: alarmState, message } = news;
      alarms.set(node.nodeId, alarm);
      changed.set(node.nodeId, { node, type: 'processAlarm', alarm });
      if (alarmState === 'NONE') continue;
      const level = alarmState === 'ACTIVE' ? 'WARNING' : 'INFO';
      const { timeMs } = outcome;
      events.push({ node, level, eventType: 'ACQUISITION', alarmState, timeMs, username: 'System', message });
    }
    if (changed.size > 0) await tx.save({ alarms: [...changed.values()], events });
  });
}
