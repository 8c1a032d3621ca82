import { DomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { EventStore, RecordedEvent } from '../../usecases/ports.ts';
import type { Topic, TopicMessage, TopicPositions } from './ports.ts';

type Deps = {
  readonly events: Pick<EventStore, 'recordedAfter'>;
  readonly positions: TopicPositions;
  readonly topic: Topic;
  readonly messageOf: (event: RecordedEvent) => TopicMessage;
  readonly log: Pick<Logger, 'error'>;
};

export const EVENTS_TOPIC = 'events';
const BATCH = 1_000;

/**
 * Sends the events that were recorded since to their topic, in the order of recording; one replica at a time. The position moves when the
 * topic has them.
 * @returns whether there may be more
 */
export async function pushEvents({ events, positions, topic, messageOf, log }: Deps): Promise<boolean> {
  let isFull = false;
  await positions
    .advance(EVENTS_TOPIC, async (position) => {
      const batch = await events.recordedAfter(position, BATCH);
      const { refused } = await topic.send(batch.map(messageOf));
      for (const { id } of refused) log.error({ eventId: id }, 'event is too large for its topic, and left out there');
      isFull = batch.length === BATCH;
      return batch.at(-1)?.position ?? position;
    })
    .catch((error: unknown) => {
      // The topic has said so itself, once.
      if (!(error instanceof DomainError && error.reason === 'TOPIC_UNAVAILABLE')) throw error;
    });
  return isFull;
}
