import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, OptionalReaderName } from '@catchment/bus';
import { emptyMessage } from '@catchment/ingest-log';
import type { Database } from '@catchment/pg';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { cloudEventOf } from '../transport/cloud-event.ts';
import type { EventStore, RecordedEvent } from '../usecases/ports.ts';
import { readAlarmsForTopic, readRecordsForTopic } from './bus/topic-readers.ts';
import type { KafkaConfig, TopicKind } from './clients/kafka-config.ts';
import type { KafkaTopic } from './clients/kafka-topic.ts';
import { pgSettledLog } from './store/pg-settled-log.ts';
import { pgTopicPositions } from './store/pg-topic-positions.ts';
import { alarmMessages } from './transport/alarm-cloud-events.ts';
import { recordMessages } from './transport/record-cloud-events.ts';
import type { TopicMessage } from './usecases/ports.ts';
import { EVENTS_TOPIC, pushEvents } from './usecases/push-events.ts';
import { RecordPusher } from './usecases/push-records.ts';

export { readKafkaConfig } from './clients/kafka-config.ts';

type Deps = {
  readonly bus: Bus;
  readonly database: Database;
  readonly events: EventStore;
  readonly log: Logger;
};

const LOOK_EVERY_MS = 500;
const PURGE_EVERY_MS = 3_600_000;
const READERS: Readonly<Record<TopicKind, readonly OptionalReaderName[]>> = {
  events: [],
  alarms: ['events-alarms'],
  records: ['events-settled', 'events-records'],
};

/**
 * Feeds the topics that are configured; without any, the readers of earlier ones are removed.
 * @returns what is to be stopped, before the bus is closed
 */
export async function startTopics(
  { bus, database, events, log }: Deps,
  config: KafkaConfig | undefined,
): Promise<{ stop(): Promise<void> }> {
  const topics = config?.topics ?? [];
  const settled = pgSettledLog(database);
  await bus.keepOptional(topics.flatMap((topic) => READERS[topic]));
  if (!config) return { stop: async () => {} };

  // The client is loaded only when it is needed: it takes 59 MiB.
  const client = await import('./clients/kafka-topic.ts');
  const opened: KafkaTopic[] = [];
  const open = (kind: TopicKind): KafkaTopic => {
    const topic = new client.KafkaTopic({ ...config, name: `${config.topicPrefix}.${kind}`, log });
    opened.push(topic);
    return topic;
  };
  const running: { stop(): Promise<void> }[] = [];
  if (topics.includes('events')) {
    const positions = pgTopicPositions(database);
    await positions.begin(EVENTS_TOPIC, await events.lastPosition());
    const messageOf = (event: RecordedEvent): TopicMessage => ({
      id: event.eventId,
      key: event.ownerId,
      value: JSON.stringify(cloudEventOf(event)),
    });
    const deps = { events, positions, topic: open('events'), messageOf, log };
    const failed = 'events could not be sent to their topic, trying again';
    running.push(repeat(() => pushEvents(deps), { everyMs: LOOK_EVERY_MS, failed, log }));
  }
  if (topics.includes('alarms')) running.push(readAlarmsForTopic(bus, open('alarms'), alarmMessages));
  if (topics.includes('records')) {
    const pusher = new RecordPusher({
      settled,
      topic: open('records'),
      messagesOf: recordMessages,
      fill: async () => (await bus.room('INGEST')).taken,
      pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
      log,
    });
    const failed = 'parts of columns could not be removed, trying again later';
    await bus.beginLog(emptyMessage(), 'events-records');
    running.push(readRecordsForTopic(bus, settled, pusher));
    running.push(repeat(() => settled.purge(), { everyMs: PURGE_EVERY_MS, failed, log }));
  }
  log.info({ topics, brokers: config.brokers }, 'topics are fed');
  return {
    stop: async () => {
      await Promise.all(running.map((topic) => topic.stop()));
      await Promise.all(opened.map((topic) => topic.close()));
    },
  };
}
