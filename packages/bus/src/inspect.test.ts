import { createLogger } from '@catchment/telemetry';
import { natsLogin, testNats, until } from '@catchment/testkit';
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Bus, inspectBroker } from './index.ts';

const log = createLogger('test', { level: 'silent' });

test('of the writer of a further InfluxDB, a consumer that stands still and one that is missing are reported', async () => {
  const nats = await testNats();
  await using _nats = nats;
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 2, log });
  await bus.ensureParts('writer', ['b']);
  await bus.publish('ingest.1', Buffer.from('a'), { msgId: 'm' });
  const others = (['writer', 'alarms'] as const).map((reader) => bus.readPartitions(reader, async () => {}));
  await until(async () => Object.values(await bus.lag('INGEST')).reduce((sum, count) => sum + count, 0) === 1);
  await Promise.all(others.map((other) => other.stop()));
  const connection = await connect(natsLogin(nats.url));
  await (await jetstreamManager(connection)).consumers.delete(`${nats.prefix}_INGEST`, 'writer-b-0');
  await connection.close();
  const { readers } = await inspectBroker({ url: nats.url, prefix: nats.prefix, replicas: 1, limitMs: 5_000 });
  expect(readers.filter(({ name }) => name.startsWith('writer'))).toEqual([
    { stream: 'INGEST', name: 'writer-0', found: { pending: 0, oldestMs: 0 } },
    { stream: 'INGEST', name: 'writer-1', found: { pending: 0, oldestMs: 0 } },
    { stream: 'INGEST', name: 'writer-b-0' },
    { stream: 'INGEST', name: 'writer-b-1', found: { pending: 1, oldestMs: expect.any(Number) } },
  ]);
  expect(readers.find(({ name }) => name === 'writer-b-1')?.found?.oldestMs).toBeGreaterThan(0);
  await bus.close();
});

test('a reader that pods of the version before still make is nobody’s trouble: nothing is reported of it', async () => {
  await using nats = await testNats();
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  const connection = await connect(natsLogin(nats.url));
  const manager = await jetstreamManager(connection);
  const durable = { durable_name: 'processing-handed', ack_policy: AckPolicy.Explicit };
  await manager.consumers.add(`${nats.prefix}_DOMAIN`, durable);
  await connection.close();
  const { readers } = await inspectBroker({ url: nats.url, prefix: nats.prefix, replicas: 1, limitMs: 5_000 });
  const names = readers.map(({ name }) => name);
  expect(names).toContain('historic-nodes');
  expect(names).not.toContain('processing-handed');
  await bus.close();
});
