import { type StoreDeps, touchOwners } from '../../changes/index.ts';
import { decodeAlarms } from '../bus/decode-applied.ts';
import type { StoredAlarm } from '../domain/stored-alarm.ts';
import { type ReportedAlarms, type ReportedState, saveAlarms, saveStates } from '../store/pg-alarms.ts';

/** Takes over what the alarms service says of states and alarms; older than what is known changes nothing. */
export async function applyAlarms(
  deps: Pick<StoreDeps, 'database'>,
  messages: readonly { readonly subject: string; readonly data: Uint8Array }[],
): Promise<void> {
  const states = new Map<string, ReportedState>();
  const alarms = new Map<string, ReportedAlarms>();
  for (const one of messages) {
    const message = decodeAlarms(one);
    if (message.kind === 'state') {
      const before = states.get(message.nodeId);
      if (!before || before.revision < message.revision) states.set(message.nodeId, message);
    }
    if (message.kind === 'alarm') {
      const { nodeId, ownerId, alarmType } = message;
      const before = alarms.get(nodeId)?.alarms ?? {};
      const isOld = (before[alarmType]?.revision ?? -1) >= message.revision;
      if (!isOld) alarms.set(nodeId, { nodeId, ownerId, alarms: { ...before, [alarmType]: toStored(message) } });
    }
  }
  const owners = new Set([...states.values(), ...alarms.values()].map(({ ownerId }) => ownerId));
  await deps.database.transaction(async (tx) => {
    await saveStates(tx, [...states.values()]);
    await saveAlarms(tx, [...alarms.values()]);
    await touchOwners(tx, [...owners], 'alarms');
  });
}

type Reported = {
  revision: number;
  alarmState: string;
  message: string;
  categoryId: string;
  activeTimeMs: number;
  acknowledgeTimeMs: number;
  acknowledgeUsername: string;
  acknowledgeComment: string;
};

/** Empty and 0 stand for null in the message. */
const toStored = (reported: Reported): StoredAlarm => ({
  revision: reported.revision,
  alarmState: reported.alarmState,
  message: reported.message || null,
  categoryId: reported.categoryId || null,
  activeTime: reported.activeTimeMs || null,
  acknowledgeTime: reported.acknowledgeTimeMs || null,
  acknowledgeUsername: reported.acknowledgeUsername || null,
  acknowledgeComment: reported.acknowledgeComment || null,
});
