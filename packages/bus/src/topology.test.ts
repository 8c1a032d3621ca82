import { createLogger } from '@catchment/telemetry';
import { natsLogin, type TestNats, testNats, until } from '@catchment/testkit';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { vi } from 'vitest';
import { Bus, type BusOptions, isRefusedMessage } from './index.ts';

const log = createLogger('test', { level: 'silent' });
let nats: TestNats;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeEach(async () => {
  nats = await testNats();
  connection = await connect(natsLogin(nats.url));
  manager = await jetstreamManager(connection);
});
afterEach(async () => {
  await connection.close();
  await nats.drop();
});

const open = (partitions: number) => Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions, log });
const openAndClose = async (partitions: number) => (await open(partitions)).close();
const refusal = (here: number, log: number) => ({
  name: 'ConfigError',
  problems: [
    `INGEST_PARTITIONS is ${here}, but the ingest log of this installation has ${log} partitions and keeps them for life: set it to ${log} for every service`,
  ],
});
const subjects = async () => (await manager.streams.info(`${nats.prefix}_INGEST`)).config.subjects;
describe('the number of partitions is that of the ingest log for life:', () => {
  test.each([
    ['more', 3, 4],
    ['fewer', 3, 2],
  ])('a service with %s is refused with both numbers', async (_what, made, here) => {
    await openAndClose(made);
    await expect(open(here)).rejects.toMatchObject(refusal(here, made));
    expect(await subjects()).toHaveLength(made);
    await openAndClose(made);
  });

  test('of services that create the log at once with different numbers, all with one number go on', async () => {
    const outcomes = await Promise.allSettled([2, 3, 2, 3].map(open));
    const made = (await subjects()).length;
    for (const [n, outcome] of outcomes.entries()) {
      if ([2, 3, 2, 3][n] === made) expect(outcome.status).toBe('fulfilled');
      else expect(outcome).toMatchObject({ status: 'rejected', reason: refusal([2, 3, 2, 3][n]!, made) });
      if (outcome.status === 'fulfilled') await outcome.value.close();
    }
  });
});

describe('limits of streams', () => {
  const MIB = 1024 * 1024;
  const openWith = (maxBytes: NonNullable<BusOptions['maxBytes']>, own = log) =>
    Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log: own, maxBytes });
  const limitOf = async (stream: string) =>
    (await manager.streams.info(`${nats.prefix}_${stream}`)).config.max_bytes / MIB;

  test('are decided by one service: the others leave them as they are, and without a setting they are the usual ones', async () => {
    await openAndClose(1);
    const usual = await limitOf('INGEST');
    await (await openWith({ INGEST: 100 * MIB, DEADLETTER: 65 * MIB })).close();
    await openAndClose(1);
    expect([await limitOf('INGEST'), await limitOf('DEADLETTER'), await limitOf('APPLIED')]).toEqual([100, 65, usual]);
    await (await openWith({})).close();
    expect(await limitOf('INGEST')).toBe(usual);
  });

  test('wait while a stream that refuses holds more, so that nothing unread is dropped', async () => {
    const bus = await openWith({ INGEST: 3 * MIB });
    const half = Buffer.alloc(MIB / 2);
    for (let n = 0; n < 4; n += 1) await bus.publish('ingest.0', half, { msgId: `m${n}` });
    const warn = vi.fn();
    const smaller = await openWith({ INGEST: MIB }, { ...log, warn } as unknown as typeof log);
    // The broker reports a message to its readers a moment after the publish.
    await until(async () => (await smaller.lag('INGEST'))['writer-0'] === 4);
    expect(await limitOf('INGEST')).toBe(3);
    expect(warn).toHaveBeenCalledWith({ streams: ['INGEST'] }, expect.stringContaining('a later start'));
    await manager.streams.purge(`${nats.prefix}_INGEST`);
    await (await openWith({ INGEST: MIB })).close();
    expect(await limitOf('INGEST')).toBe(1);
    await Promise.all([bus.close(), smaller.close()]);
  });
});

describe('a message that the broker', () => {
  test.each([
    ['has no stream for', 'nobody.heard.of.v1', 1],
    ['finds without an address', 'nodes..v1', 1],
    ['cannot read the address of', 'nodes.a b.v1', 1],
    ['finds too large', 'nodes.node.changed.v1', 2 * 1024 * 1024],
  ])('%s is refused for good', async (_what, subject, bytes) => {
    const bus = await open(1);
    const error = await bus.publish(subject, Buffer.alloc(bytes), { msgId: 'm' }).catch((cause: unknown) => cause);
    expect(isRefusedMessage(error)).toBe(true);
    await bus.close();
  });

  test('has no room or no stream for at the moment is tried again', async () => {
    const bus = await open(1);
    await manager.streams.update(`${nats.prefix}_DOMAIN`, { max_msgs: 0, discard: 'new', max_bytes: 200 } as never);
    const full = bus.publish('nodes.node.changed.v1', Buffer.alloc(500), { msgId: 'm' });
    await expect(full).rejects.toMatchObject({ kind: 'unavailable' });
    await manager.streams.delete(`${nats.prefix}_DOMAIN`);
    const missing = bus.publish('nodes.node.changed.v1', Buffer.alloc(5), { msgId: 'm' });
    await expect(missing).rejects.toMatchObject({ kind: 'unavailable' });
    await bus.close();
  });
});
