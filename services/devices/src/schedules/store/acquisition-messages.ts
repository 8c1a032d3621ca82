import { AttemptEnded, AttemptKind } from '@catchment/contracts/alarms';
import { ControlEnded, DeviceCallDue, SourceChanged } from '@catchment/contracts/devices';
import { newObjectId } from '@catchment/ids';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import { eventMessage } from '../../sources/index.ts';
import type { Acquisition } from '../domain/acquisition.ts';
import type { News } from '../usecases/ports.ts';

const KINDS = {
  SESSION: AttemptKind.ATTEMPT_KIND_SESSION,
  CONFIGURATION: AttemptKind.ATTEMPT_KIND_CONFIGURATION,
  CONTROL: AttemptKind.ATTEMPT_KIND_CONTROL,
} as const;

/**
 * Reports to other services what has become of a source. @param shown the source as it is now, if that is to be shown
 */
export async function report(
  tx: Queryable,
  { sourceId, ownerId }: Pick<Acquisition, 'sourceId' | 'ownerId'>,
  { events = [], attempts = [], controls = [], calls = [] }: Omit<News, 'shows'>,
  shown?: Acquisition,
): Promise<void> {
  const messages: OutboxMessage[] = events.map(eventMessage);
  for (const { kind, ...attempt } of attempts) {
    const data = AttemptEnded.encode({ ...attempt, ownerId, sourceId, kind: KINDS[kind] }).finish();
    messages.push({ subject: 'alarms.attempt.ended.v1', data });
  }
  for (const control of controls)
    messages.push({ subject: 'devices.control.ended.v1', data: ControlEnded.encode({ ...control, ownerId }).finish() });
  for (const { source, ...call } of calls) {
    const data = DeviceCallDue.encode({ ...source, ...call, callId: newObjectId(call.timeMs), ownerId }).finish();
    messages.push({ subject: 'notifications.call.due.v1', data });
  }
  if (shown) messages.push({ subject: 'devices.source.changed.v1', data: sourceChanged(shown) });
  await appendOutbox(tx, messages);
}

const sourceChanged = (acquisition: Acquisition): Uint8Array =>
  SourceChanged.encode({
    ownerId: acquisition.ownerId,
    sourceId: acquisition.sourceId,
    revision: acquisition.revision,
    // The node knows by its configuration that a source is disabled.
    status: acquisition.status === 'DISABLED' ? 'REST' : acquisition.status,
    sessionAttempts: acquisition.attempts,
    sessionSuccesses: acquisition.successes,
    lastAttemptMs: acquisition.lastAttemptMs ?? undefined,
    lastSuccessMs: acquisition.lastSuccessMs ?? undefined,
    lastRecordCount: acquisition.lastRecordCount ?? undefined,
    model: acquisition.facts.model,
    firmwareVersion: acquisition.facts.firmwareVersion,
    programName: acquisition.facts.programName,
  }).finish();
