import { EventRecorded } from '@catchment/contracts/events';
import { RatingSettled, SeriesRecomputed } from '@catchment/contracts/ratings';
import { newObjectId } from '@catchment/ids';
import type { OutboxMessage } from '@catchment/pg';
import type { RatingEvent, StoredRating } from '../usecases/ports.ts';

/** A line of the event log of a rating's node (docs/reference/events.md#standard-messages). */
export const ratingEvent = (
  { nodeId, ownerId, workspaceId, class: nodeClass }: StoredRating,
  event: RatingEvent,
): OutboxMessage => ({
  subject: 'events.event.recorded.v1',
  data: EventRecorded.encode(
    EventRecorded.fromPartial({
      ...event,
      ...{ nodeId, ownerId, workspaceId, nodeClass },
      eventId: newObjectId(event.timeMs),
      eventType: 'CONFIGURATION',
      alarmState: 'NONE',
      username: 'System',
    }),
  ).finish(),
});

/** The message that raises or clears the processAlarm of a rating's node. */
export const ratingSettled = (
  { nodeId, ownerId, sourceId }: StoredRating,
  { failure = '', timeMs }: { readonly failure?: string; readonly timeMs: number },
): OutboxMessage => ({
  subject: 'historic.rating.settled.v1',
  data: RatingSettled.encode(RatingSettled.fromPartial({ nodeId, ownerId, sourceId, failure, timeMs })).finish(),
});

/** Whoever computes from the results of a rating has to do it anew (docs/reference/processing-and-ratings.md#program-runs). */
export const ratingRecomputed = ({ nodeId, ownerId, newsFromMs }: StoredRating, timeMs: number): OutboxMessage => ({
  subject: 'historic.series.recomputed.v1',
  data: SeriesRecomputed.encode({ nodeId, ownerId, timeMs, newsFromMs }).finish(),
});
