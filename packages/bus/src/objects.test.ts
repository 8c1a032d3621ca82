import { randomBytes } from 'node:crypto';
import { createLogger } from '@catchment/telemetry';
import { type TestNats, testNats } from '@catchment/testkit';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Bus } from './index.ts';
import { serversOf } from './servers-of.ts';

const log = createLogger('test', { level: 'silent' });
let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await testNats();
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
});
afterAll(async () => {
  await bus.close();
  await nats.drop();
});

const messages = async (): Promise<number> => {
  const connection = await connect(serversOf(nats.url));
  const { state } = await (await jetstreamManager(connection)).streams.info(`OBJ_${nats.prefix}_FILES`);
  await connection.close();
  return state.messages;
};

test.each([
  ['none', 0],
  ['one', 1],
  ['a chunk', 128 * 1024],
  ['many chunks', 4 * 1024 * 1024 + 7],
])('an object of %s bytes comes back as it was put', async (name, size) => {
  const bytes = randomBytes(size);
  await bus.objects.put(name, bytes);
  expect(Buffer.from((await bus.objects.get(name)) ?? 'missing').equals(bytes)).toBe(true);
});

test('an object put again is replaced', async () => {
  await bus.objects.put('twice', Buffer.from('a'));
  await bus.objects.put('twice', Buffer.from('bb'));
  expect(Buffer.from((await bus.objects.get('twice')) ?? []).toString()).toBe('bb');
});

test('of a deleted object nothing is left, and deleting it again is no error', async () => {
  const before = await messages();
  await bus.objects.put('file/preview', randomBytes(300_000));
  await bus.objects.delete('file/preview');
  await bus.objects.delete('file/preview');
  expect(await messages()).toBe(before);
  expect(await bus.objects.get('file/preview')).toBeUndefined();
  expect(await bus.objects.get('never was')).toBeUndefined();
});
