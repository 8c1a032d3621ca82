import { createLogger } from '@catchment/telemetry';
import { natsLogin, type TestNats, testNats, until } from '@catchment/testkit';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { streamName, subjectName } from './naming.ts';
import { HeldStream, StreamCopy } from './stream-copy.ts';
import { ensureStreams } from './topology.ts';

let nats: TestNats;
let connection: NatsConnection;
let copy: StreamCopy;
const signal = new AbortController().signal;
beforeAll(async () => {
  nats = await testNats();
  connection = await connect(natsLogin(nats.url));
  await ensureStreams(await jetstreamManager(connection), { prefix: nats.prefix, partitions: 1, replicas: 1 });
  copy = await StreamCopy.open({
    url: nats.url,
    name: 'test',
    prefix: nats.prefix,
    log: createLogger('test', { level: 'silent' }),
  });
});
afterAll(async () => {
  await copy?.close();
  await connection?.close();
  await nats?.drop();
});

const log = () => streamName(nats, 'INGEST');
const publish = async (...texts: string[]) => {
  for (const text of texts) await jetstream(connection).publish(subjectName(nats, 'ingest.0'), text);
};
const messageCount = async () => (await (await jetstreamManager(connection)).streams.info(log())).state.messages;

test('messages stay in the log until the copy has them', async () => {
  const held = await copy.hold('INGEST');
  await publish('a', 'b', 'c');
  expect(await messageCount()).toBe(3);
  held.end((await copy.ends()).INGEST);
  const seen: string[] = [];
  for await (const { data, subject } of held.messages(signal)) seen.push(`${subject} ${Buffer.from(data)}`);
  expect(seen).toEqual(['ingest.0 a', 'ingest.0 b', 'ingest.0 c']);
  await until(async () => (await messageCount()) === 0);
  await held.release();
});

test('the word of the server of its reader does not end a copy: it may not have the newest messages yet', async () => {
  const manager = await jetstreamManager(connection);
  const consumers = Object.assign(Object.create(manager.consumers), {
    info: async () => ({ num_pending: 0, num_ack_pending: 0, delivered: { consumer_seq: 0 } }),
  });
  const behind = Object.assign(Object.create(manager), { consumers, streams: manager.streams });
  const plain = (subject: string) => subject;
  const held = await HeldStream.open(jetstream(connection), behind, { stream: log(), plain, after: 0 });
  await publish('a', 'b');
  held.end((await copy.ends()).INGEST);
  const seen: string[] = [];
  for await (const { data } of held.messages(signal)) seen.push(`${Buffer.from(data)}`);
  expect(seen).toEqual(['a', 'b']);
  await held.release();
});

test('a copy whose reader the broker has given up fails: messages may be gone', async () => {
  const held = await copy.hold('INGEST');
  await publish('a', 'b');
  const messages = held.messages(signal);
  expect(Buffer.from((await messages.next()).value?.data ?? '').toString()).toBe('a');
  // The consumer ends as after its time of inactivity; the log has no reader left, and keeps nothing.
  const manager = await jetstreamManager(connection);
  for await (const { name } of manager.consumers.list(log())) await manager.consumers.delete(log(), name);
  await publish('lost');
  const rest = async () => {
    for await (const _ of messages);
  };
  await expect(rest()).rejects.toThrow(`NATS has given up the reader of the copy of ${log()}`);
});
