import { DomainError } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import { type TestNats, testNats, until } from '@catchment/testkit';
import { Bus } from './index.ts';

const log = createLogger('test', { level: 'silent' });
const PARTITIONS = 2;
let nats: TestNats;
const open: Bus[] = [];

async function openBus(): Promise<Bus> {
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: PARTITIONS, log });
  open.push(bus);
  return bus;
}

beforeEach(async () => {
  nats = await testNats();
});
afterEach(async () => {
  for (const bus of open.splice(0)) await bus.close();
  await nats.drop();
});

const text = (data: Uint8Array) => Buffer.from(data).toString();

test('a published message id is stored once', async () => {
  const bus = await openBus();
  const first = await bus.publish('ingest.0', Buffer.from('a'), { msgId: 'm-1' });
  const again = await bus.publish('ingest.0', Buffer.from('a'), { msgId: 'm-1' });
  expect([first.duplicate, again.duplicate, again.sequence]).toEqual([false, true, first.sequence]);
});

test('two replicas read a partition in strict order, one message at a time', async () => {
  const bus = await openBus();
  const other = await openBus();
  for (let n = 0; n < 40; n += 1) await bus.publish('ingest.1', Buffer.from(String(n)), { msgId: `m-${n}` });
  const seen: string[] = [];
  let inFlight = 0;
  for (const replica of [bus, other]) {
    replica.readPartitions('writer', async (partition, messages) => {
      inFlight += 1;
      expect([partition, messages.length, inFlight]).toEqual([1, 1, 1]);
      await new Promise(setImmediate);
      for (const message of messages) seen.push(text(message.data));
      inFlight -= 1;
    });
  }
  await until(() => seen.length === 40);
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
});

test('a message that fails for now is tried again before the next one of its partition', async () => {
  const bus = await openBus();
  const seen: string[] = [];
  bus.readPartitions('writer', async (_partition, [message]) => {
    seen.push(`${text(message?.data ?? Buffer.alloc(0))}#${message?.deliveries}`);
    if (message?.deliveries === 1) throw new DomainError('unavailable', 'STORE', 'away');
  });
  await bus.publish('ingest.0', Buffer.from('a'), { msgId: '1' });
  await bus.publish('ingest.0', Buffer.from('b'), { msgId: '2' });
  await until(() => seen.length === 4);
  expect(seen).toEqual(['a#1', 'a#2', 'b#1', 'b#2']);
});

test('a message with bad content becomes a dead letter with its reason, and the next one follows', async () => {
  const bus = await openBus();
  const seen: string[] = [];
  bus.readPartitions('alarms', async (_partition, [message]) => {
    const content = text(message?.data ?? Buffer.alloc(0));
    if (content === 'poison') throw new DomainError('invalid_argument', 'LAYOUT', 'version: 9 is not known');
    seen.push(content);
  });
  await bus.publish('ingest.0', Buffer.from('poison'), { msgId: '1' });
  await bus.publish('ingest.0', Buffer.from('good'), { msgId: '2' });
  await until(() => seen.length === 1);
  expect(seen).toEqual(['good']);
  expect(bus.deadLetterCount).toBe(1);
});

test('in a batch of domain events one bad message does not hold up the others', async () => {
  const bus = await openBus();
  for (let n = 0; n < 5; n += 1) {
    await bus.publish('events.event.recorded.v1', Buffer.from(n === 2 ? 'bad' : String(n)), { msgId: `${n}` });
  }
  const stored: string[] = [];
  bus.readDomain('events-recorded', async (messages) => {
    if (messages.some((message) => text(message.data) === 'bad')) throw new DomainError('invalid_argument', 'X', 'x');
    for (const message of messages) stored.push(text(message.data));
  });
  await until(() => stored.length === 4 && bus.deadLetterCount === 1);
  expect(stored.sort()).toEqual(['0', '1', '3', '4']);
});

test('stopping finishes the batch in hand and leaves the rest to the next reader', async () => {
  const bus = await openBus();
  for (let n = 0; n < 3; n += 1) await bus.publish('ingest.0', Buffer.from(String(n)), { msgId: `${n}` });
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const first: string[] = [];
  const reader = bus.readPartitions('writer', async (_partition, [message]) => {
    begun.resolve();
    await finish.promise;
    first.push(text(message?.data ?? Buffer.alloc(0)));
  });
  await begun.promise;
  const stopped = reader.stop();
  finish.resolve();
  await stopped;
  expect(first).toEqual(['0']);
  const second: string[] = [];
  (await openBus()).readPartitions('writer', async (_partition, [message]) => {
    second.push(text(message?.data ?? Buffer.alloc(0)));
  });
  await until(() => second.length === 2);
  expect(second).toEqual(['1', '2']);
});

test('lag counts what a reader has not finished', async () => {
  const bus = await openBus();
  await bus.publish('ingest.0', Buffer.from('a'), { msgId: '1' });
  expect(await bus.lag('INGEST')).toMatchObject({ 'writer-0': 1, 'alarms-0': 1, 'writer-1': 0 });
  bus.readPartitions('writer', async () => {});
  await until(async () => (await bus.lag('INGEST'))['writer-0'] === 0);
});

test('the topology can be made again by every process', async () => {
  const first = await openBus();
  await first.publish('ingest.0', Buffer.from('a'), { msgId: '1' });
  const again = await openBus();
  expect((await again.lag('INGEST'))['writer-0']).toBe(1);
});

test('every replica that watches sees a passing message', async () => {
  const [one, two] = [await openBus(), await openBus()];
  const seen: string[] = [];
  for (const [name, bus] of Object.entries({ one, two })) {
    bus.watch(
      'nodes.key.changed.v1',
      (data) => seen.push(`${name} ${text(data)}`),
      () => {},
    );
    await bus.check();
  }
  await one.publish('nodes.key.changed.v1', Buffer.from('k'), { msgId: '1' });
  await until(() => seen.length === 2);
  expect(seen.sort()).toEqual(['one k', 'two k']);
});
