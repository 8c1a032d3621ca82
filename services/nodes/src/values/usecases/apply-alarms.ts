import { AlarmTextDue } from '@catchment/contracts/nodes-messages';
import { appendOutbox, type OutboxMessage } from '@catchment/pg';
import type { StoreDeps } from '../../changes/index.ts';
import { lockEdges, refreshShown } from '../../shown/index.ts';
import {
  type AlarmsMessage,
  nodesInOtherState,
  type ReportedAlarms,
  type ReportedState,
} from '../domain/reported-alarms.ts';
import { storedStates } from '../store/states-query.ts';
import type { AlarmStore } from './ports.ts';

/** Stores reports of the alarms service about states and alarms; older ones change nothing. */
export async function applyAlarms(
  { saveStates, saveAlarms, touchOwners }: AlarmStore,
  deps: Pick<StoreDeps, 'database'>,
  messages: readonly AlarmsMessage[],
): Promise<void> {
  const states = new Map<string, ReportedState>();
  const alarms = new Map<string, ReportedAlarms>();
  const texts: OutboxMessage[] = [];
  for (const message of messages) {
    if (message.kind === 'state') {
      const before = states.get(message.nodeId);
      if (!before || before.revision < message.revision) states.set(message.nodeId, message);
    }
    if (message.kind === 'alarm') {
      const { nodeId, ownerId, alarmType, status, custom } = message;
      if (custom) texts.push(textDue(message, custom));
      const before = alarms.get(nodeId)?.alarms ?? {};
      const isOld = (before[alarmType]?.revision ?? -1) >= status.revision;
      if (!isOld) alarms.set(nodeId, { nodeId, ownerId, alarms: { ...before, [alarmType]: status } });
    }
  }
  const owners = new Set([...states.values(), ...alarms.values()].map(({ ownerId }) => ownerId));
  await deps.database.transaction(async (tx) => {
    const nodeIds = [...states.keys()];
    // The rows of values are locked before these, as where values are changed.
    const edges = await lockEdges(tx, nodeIds);
    const changed = nodesInOtherState(await storedStates(tx, nodeIds), [...states.values()]);
    await saveStates(tx, [...states.values()]);
    await saveAlarms(tx, [...alarms.values()]);
    const changedEdges = changed.flatMap((nodeId) => {
      const nodeEdges = edges.get(nodeId);
      return nodeEdges ? [[nodeId, nodeEdges] as const] : [];
    });
    await refreshShown(tx, nodeIds, new Map(changedEdges));
    await touchOwners(tx, [...owners], 'alarms');
    await appendOutbox(tx, texts);
  });
}

type AlarmMessage = Extract<AlarmsMessage, { kind: 'alarm' }>;

/** Asks for a message to be evaluated: what it reads may not be there yet. */
const textDue = (
  { nodeId, ownerId, alarmType, status }: AlarmMessage,
  { text, stateName, timeMs, record }: NonNullable<AlarmMessage['custom']>,
): OutboxMessage => ({
  subject: 'notifications.text.due.v1',
  data: AlarmTextDue.encode({
    nodeId,
    ownerId,
    alarmType,
    revision: status.revision,
    activeTimeMs: status.activeTime ?? 0,
    usual: status.message ?? '',
    customText: text,
    stateName,
    timeMs,
    record,
  }).finish(),
});
