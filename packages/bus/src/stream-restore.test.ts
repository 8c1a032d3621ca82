// These tests restore streams with one server, and with three copies of each stream on a cluster of NATS_BINARY, where that does for one.
import { createLogger } from '@catchment/telemetry';
import { hasClusterNats, ownNats, ownNatsCluster, until } from '@catchment/testkit';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Bus, type CopiedMessage, StreamRestore } from './index.ts';
import { serversOf } from './servers-of.ts';

const LIMIT_MS = 120_000;
const log = createLogger('test', { level: 'silent' });

type Broker = { readonly url: string; loseLeader(stream: string): Promise<void>; close(): Promise<void> };

async function server(): Promise<Broker> {
  const nats = await ownNats({ ...(process.env.NATS_BINARY && { binary: process.env.NATS_BINARY }) });
  return { url: nats.url, loseLeader: () => nats.restart(), close: async () => nats[Symbol.asyncDispose]() };
}

async function cluster(): Promise<Broker> {
  const nats = await ownNatsCluster();
  const loseLeader = async (stream: string) => {
    const leader = (await nats.streams()).find(({ name }) => name === stream)?.leader ?? '';
    await nats.servers.get(leader)?.kill();
    const another = async () => {
      const found = (await nats.streams()).find(({ name }) => name === stream)?.leader;
      return found !== undefined && found !== leader;
    };
    await until(another, { everyMs: 200, what: 'another server leads the stream' });
  };
  return { url: nats.url, loseLeader, close: async () => nats[Symbol.asyncDispose]() };
}

const message = (sequence: number): CopiedMessage => ({
  sequence,
  subject: 'dead.writer-0',
  headers: [],
  data: Buffer.from(String(sequence)),
});
async function* these(...sequences: number[]): AsyncGenerator<CopiedMessage> {
  for (const sequence of sequences) yield message(sequence);
}

const BROKERS: [string, () => Promise<Broker>, number][] = [['one server', server, 1]];
if (process.env.NATS_BINARY && (await hasClusterNats())) BROKERS.push(['a cluster of three', cluster, 3]);

describe.each(BROKERS)('streams of %s', (_what, start, replicas) => {
  let broker: Broker;
  beforeEach(async () => {
    broker = await start();
  }, LIMIT_MS);
  afterEach(() => broker?.close(), LIMIT_MS);

  test(
    'keep their sequences, and go on behind the last one that they ever had',
    async () => {
      const naming = { prefix: 'restored', partitions: 1, replicas };
      await using open = new AsyncDisposableStack();
      const restore = await StreamRestore.open({ url: broker.url, name: 'test', log, ...naming });
      open.defer(() => restore.close());
      await restore.begin();
      const positions = {
        ends: { INGEST: 7_000, APPLIED: 0, DOMAIN: 40, NOTIFICATIONS: 0, DEADLETTER: 12 },
        floors: { INGEST: { 'writer-0': 7_000 }, APPLIED: {}, DOMAIN: {}, NOTIFICATIONS: {}, DEADLETTER: {} },
      };
      await restore.fill('INGEST', positions, these());
      await restore.fill('DOMAIN', positions, these());
      expect(await restore.fill('DEADLETTER', positions, these(5, 6, 9))).toBe(3);
      await restore.close();

      await broker.loseLeader('restored_INGEST');
      const connection = await connect(serversOf(broker.url));
      const manager = await jetstreamManager(connection);
      const deadLetters = [];
      for (const seq of [5, 6, 9])
        deadLetters.push((await manager.streams.getMessage('restored_DEADLETTER', { seq }))?.string());
      expect(deadLetters).toEqual(['5', '6', '9']);
      const client = jetstream(connection);
      const next = async (subject: string) => (await client.publish(`restored.${subject}`)).seq;
      expect(await next('ingest.0')).toBe(7_001);
      expect(await next('nodes.node.changed.v1')).toBe(41);
      expect(await next('dead.writer-0')).toBe(13);
      await connection.close();

      const bus = await Bus.open({ url: broker.url, name: 'test', log, ...naming });
      const seen: number[] = [];
      bus.readPartitions('writer', async (_partition, messages) => {
        seen.push(...messages.map(({ sequence }) => sequence));
      });
      await until(() => seen.length > 0);
      expect(seen).toEqual([7_001]);
      await bus.close();
    },
    LIMIT_MS,
  );

  test('take messages with the same id, as they came at different times', async () => {
    const naming = { prefix: 'restored', partitions: 1, replicas };
    await using open = new AsyncDisposableStack();
    const restore = await StreamRestore.open({ url: broker.url, name: 'test', log, ...naming });
    open.defer(() => restore.close());
    await restore.begin();
    async function* twice(): AsyncGenerator<CopiedMessage> {
      for (const sequence of [5, 6]) yield { ...message(sequence), headers: [['Nats-Msg-Id', 'same']] };
    }
    const none = { INGEST: 0, APPLIED: 0, DOMAIN: 0, NOTIFICATIONS: 0 };
    const floors = { INGEST: {}, APPLIED: {}, DOMAIN: {}, NOTIFICATIONS: {}, DEADLETTER: {} };
    expect(await restore.fill('DEADLETTER', { ends: { ...none, DEADLETTER: 6 }, floors }, twice())).toBe(2);
  });

  test(
    'are filled whole while their leader is lost, and while it is away',
    async () => {
      const naming = { prefix: 'restored', partitions: 1, replicas };
      await using open = new AsyncDisposableStack();
      const restore = await StreamRestore.open({ url: broker.url, name: 'test', log, ...naming });
      open.defer(() => restore.close());
      await restore.begin();
      const wanted = Array.from({ length: 400 }, (_, n) => 3 * n + 5);
      async function* lossy() {
        for (const sequence of wanted) {
          if (sequence === 602) lost = broker.loseLeader('restored_DEADLETTER');
          yield message(sequence);
        }
      }
      let lost: Promise<void> | undefined;
      const ends = { INGEST: 0, APPLIED: 0, DOMAIN: 9, NOTIFICATIONS: 0, DEADLETTER: 1_300 };
      const floors = { INGEST: {}, APPLIED: {}, DOMAIN: {}, NOTIFICATIONS: {}, DEADLETTER: {} };
      expect(await restore.fill('DEADLETTER', { ends, floors }, lossy())).toBe(wanted.length);
      await lost;
      const readers = { 'nodes-devices': 3, 'nodes-alarms': 3, 'events-nodes': 3, 'alarms-nodes': 3 };
      await restore.fill('DOMAIN', { ends, floors: { ...floors, DOMAIN: readers } }, these());

      const connection = await connect(serversOf(broker.url));
      open.defer(() => connection.close());
      const manager = await jetstreamManager(connection);
      const { state } = await manager.streams.info('restored_DEADLETTER');
      expect(state).toMatchObject({ messages: wanted.length, first_seq: 5, last_seq: 1_300 });
      for (const seq of [5, 599, 602, 605, 1_202])
        expect((await manager.streams.getMessage('restored_DEADLETTER', { seq }))?.string()).toBe(String(seq));
      expect((await manager.streams.info('restored_DOMAIN')).state.consumer_count).toBe(4);
    },
    LIMIT_MS,
  );
});
