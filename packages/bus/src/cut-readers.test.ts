import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@catchment/telemetry';
import { Front, ownNats, until } from '@catchment/testkit';
import { Bus } from './bus.ts';

const CUTS = 12;
const MESSAGES = 1_000;

test('a reader whose connection was cut again and again goes on in order, and nothing is left out', async () => {
  const log = createLogger('test', { level: 'silent' });
  await using nats = await ownNats();
  const { hostname: host, port } = new URL(nats.url);
  const front = await Front.open(() => ({ host, port: Number(port) }));
  const url = Object.assign(new URL(nats.url), { hostname: '127.0.0.1', port: String(front.port) }).href;
  const writer = await Bus.open({ url: nats.url, name: 'writer', partitions: 1, log });
  const reader = await Bus.open({ url, name: 'reader', partitions: 1, log });
  const seen = new Set<number>();
  const order: number[] = [];
  reader.readPartitions('writer', async (_partition, messages) => {
    for (const { data } of messages) {
      const n = Number(Buffer.from(data).toString());
      if (!seen.has(n)) order.push(n);
      seen.add(n);
    }
  });
  const written = (async () => {
    for (let n = 0; n < MESSAGES; n += 1) await writer.publish('ingest.0', Buffer.from(String(n)), { msgId: `m${n}` });
  })();
  for (let n = 0; n < CUTS; n += 1) {
    // Into the middle of deliveries.
    await delay(Math.random() * 700);
    front.cut(n % 2 === 0 ? 'reset' : 'end');
  }
  await written;
  // Messages in flight at a cut are delivered again after the broker's wait for acknowledgements, 30 s.
  await until(() => seen.size === MESSAGES, { what: 'every message is read' });
  expect(order).toEqual(Array.from({ length: MESSAGES }, (_, n) => n));
  await reader.close();
  await writer.close();
  front.close();
});
