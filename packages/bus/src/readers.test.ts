import { partitionConsumerName, partitionConsumerOf } from './readers.ts';

test.each([
  ['writer-0', { reader: 'writer', partition: 0 }],
  ['writer-b-12', { reader: 'writer', part: 'b', partition: 12 }],
  ['writer-north2-3', { reader: 'writer', part: 'north2', partition: 3 }],
  ['alarms-applied-1', { reader: 'alarms-applied', partition: 1 }],
  ['events-records-1', { reader: 'events-records', partition: 1 }],
] as const)('%s is the consumer of a reader of partitions', (name, expected) => {
  const consumer = partitionConsumerOf(name);
  expect(consumer).toEqual(expected);
  expect(consumer && partitionConsumerName(consumer.reader, consumer.partition, consumer.part)).toBe(name);
});

test.each([['events-accounts'], ['writer'], ['writer-b'], ['writer-B-1'], ['alarms-b-1'], ['toString-1'], ['']])(
  '%s is none of a reader of partitions',
  (name) => {
    expect(partitionConsumerOf(name)).toBeUndefined();
  },
);
