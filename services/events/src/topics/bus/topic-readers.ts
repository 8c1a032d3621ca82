import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { SettledGroup } from '@catchment/contracts/ingest';
import { DomainError } from '@catchment/errors';
import type { SettledLog, Topic, TopicMessage } from '../usecases/ports.ts';
import type { RecordPusher } from '../usecases/push-records.ts';

/** Sends what alarms reports to its topic. */
export const readAlarmsForTopic = (
  bus: Bus,
  topic: Topic,
  messagesOf: (message: BusMessage) => readonly TopicMessage[],
): { stop(): Promise<void> } =>
  bus.readDomain('events-alarms', async (messages) => {
    const { refused } = await topic.send(messages.flatMap(messagesOf));
    if (refused.length > 0)
      throw new DomainError('invalid_argument', 'MESSAGE_TOO_LARGE', `topic: does not take ${refused.length} messages`);
  });

/** Sends what was written, and what became of it, to the topic of records. */
export function readRecordsForTopic(bus: Bus, settled: SettledLog, pusher: RecordPusher): { stop(): Promise<void> } {
  const readers = [
    bus.readPartitions('events-settled', async (partition, messages) => {
      const batches = messages.flatMap((message) => decoded(SettledGroup, message).batches);
      const columns = batches.flatMap(({ logSequence: sequence, columnsSettled }) =>
        columnsSettled.map(({ entry, written }) => ({ sequence, entry, written })),
      );
      const last = Math.max(0, ...batches.map(({ logSequence, settledSequence }) => settledSequence ?? logSequence));
      if (last > 0 || columns.length > 0) await settled.settle(partition, last, columns);
    }),
    bus.readPartitions('events-records', (partition, messages, signal) => pusher.push(partition, messages, signal)),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}
