import { createLogger } from '@catchment/telemetry';
import { testNats, until } from '@catchment/testkit';
import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Bus } from './index.ts';
import { isSameConsumer, makeLostConsumer } from './lost-consumer.ts';
import { serversOf } from './servers-of.ts';

const log = createLogger('test', { level: 'silent' });
const notFound = new JetStreamApiError({ code: 404, err_code: JetStreamApiCodes.ConsumerNotFound, description: '' });

test.each([
  ['one that every installation has', notFound, async () => true, true],
  ['one that others remove on purpose', notFound, async () => false, false],
  ['one that cannot be made yet', notFound, () => Promise.reject(new Error('no leader')), false],
  ['another interruption', new Error('timeout'), async () => true, false],
])('a lost reader: %s', async (_what, error, makeAgain, isMade) => {
  expect(await makeLostConsumer(error, { consumer: 'writer-0', log, makeAgain })).toBe(isMade);
});

test.each<[string, string, string, (bus: Bus, handle: () => Promise<void>) => { stop(): Promise<void> }]>([
  ['a partition', 'INGEST', 'writer-0', (bus, handle) => bus.readPartitions('writer', handle)],
  ['domain events', 'DOMAIN', 'historic-nodes', (bus, handle) => bus.readDomain('historic-nodes', handle)],
])('a reader of %s that the broker has lost is made again, and goes on', async (_what, stream, consumer, read) => {
  await using open = new AsyncDisposableStack();
  const nats = open.use(await testNats());
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  open.defer(() => bus.close());
  const subject = stream === 'INGEST' ? 'ingest.0' : 'nodes.node.changed.v1';
  let handled = 0;
  read(bus, async () => {
    handled += 1;
  });
  await bus.publish(subject, Buffer.from('before'), { msgId: 'before' });
  await until(() => handled === 1);
  const connection = await connect(serversOf(nats.url));
  open.defer(() => connection.close());
  await (await jetstreamManager(connection)).consumers.delete(`${nats.prefix}_${stream}`, consumer);
  await until(async () => (await bus.lag(stream as 'INGEST'))[consumer] !== undefined);
  const before = handled;
  await bus.publish(subject, Buffer.from('after'), { msgId: 'after' });
  await until(() => handled > before);
});

test.each<[string, string | undefined, string, boolean]>([
  ['before and after a restart of the broker', '2026-01-02T03:04:05.1234Z', '2026-01-02T03:04:05.1298Z', true],
  ['made anew', '2026-01-02T03:04:05Z', '2026-01-02T03:04:07Z', false],
  ['not known', undefined, '2026-01-02T03:04:05Z', false],
])('a consumer by the time when it was made: %s', (_what, made, madeToo, isSame) => {
  expect(isSameConsumer(made, madeToo)).toBe(isSame);
});
