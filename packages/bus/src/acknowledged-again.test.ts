import { createLogger } from '@catchment/telemetry';
import { Front, ownNats, until } from '@catchment/testkit';
import { Bus } from './bus.ts';

test('an acknowledgement that is lost with the connection is sent again: the message does not come again, and holds up nothing', async () => {
  const log = createLogger('test', { level: 'silent' });
  await using nats = await ownNats();
  const { hostname: host, port } = new URL(nats.url);
  const front = await Front.open(() => ({ host, port: Number(port) }));
  const url = Object.assign(new URL(nats.url), { hostname: '127.0.0.1', port: String(front.port) }).href;
  const writer = await Bus.open({ url: nats.url, name: 'writer', partitions: 1, log });
  const reader = await Bus.open({ url, name: 'reader', partitions: 1, log });
  const seen: string[] = [];
  reader.readPartitions('writer', async (_partition, messages) => {
    seen.push(...messages.map(({ data }) => Buffer.from(data).toString()));
    // Nothing of what is sent from now on arrives, until the reader has another connection.
    if (seen.length === 1) front.cut('reset');
  });
  await writer.publish('ingest.0', Buffer.from('first'), { msgId: '1' });
  await until(() => seen.length === 1);
  await writer.publish('ingest.0', Buffer.from('second'), { msgId: '2' });
  await until(async () => (await writer.lag('INGEST'))['writer-0'] === 0, { what: 'both are finished' });
  expect(seen).toEqual(['first', 'second']);
  await reader.close();
  await writer.close();
  front.close();
});
