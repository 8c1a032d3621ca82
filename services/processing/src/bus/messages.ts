import { AttemptEnded, AttemptKind } from '@catchment/contracts/alarms';
import { EventRecorded } from '@catchment/contracts/events';
import { SeriesRecomputed } from '@catchment/contracts/ratings';
import { newObjectId } from '@catchment/ids';
import type { OutboxMessage } from '@catchment/pg';
import { MIN_RECORD_MS } from '@catchment/time';
import type { Announcements, ProgramEvent } from '../usecases/run-step.ts';

type EventNode = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly class: string;
};

/** Writes a line of the event log of a node (docs/reference/events.md#standard-messages). */
export const eventMessage = (
  { nodeId, ownerId, workspaceId, class: nodeClass }: EventNode,
  event: ProgramEvent,
): OutboxMessage => ({
  subject: 'events.event.recorded.v1',
  data: EventRecorded.encode(
    EventRecorded.fromPartial({
      username: 'System',
      ...event,
      nodeId,
      ownerId,
      workspaceId,
      nodeClass,
      eventId: newObjectId(event.timeMs),
      alarmState: 'NONE',
    }),
  ).finish(),
});

/** Raises or clears the processAlarm of a node. */
export const attemptMessage = (
  { nodeId, ownerId, sourceId }: { readonly nodeId: string; readonly ownerId: string; readonly sourceId: string },
  failure: string,
  timeMs: number,
): OutboxMessage => ({
  subject: 'alarms.attempt.ended.v1',
  data: AttemptEnded.encode({
    nodeId,
    ownerId,
    sourceId,
    kind: AttemptKind.ATTEMPT_KIND_RUN,
    failure,
    timeMs,
  }).finish(),
});

export const announcements: Announcements = {
  event: eventMessage,
  attempt: attemptMessage,
  recomputed: ({ nodeId, ownerId, toldFromMs = MIN_RECORD_MS }, timeMs) => ({
    subject: 'historic.series.recomputed.v1',
    data: SeriesRecomputed.encode({ nodeId, ownerId, timeMs, newsFromMs: toldFromMs }).finish(),
  }),
};
