import { setTimeout as delay } from 'node:timers/promises';
import { Bus } from '@catchment/bus';
import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { newObjectId } from '@catchment/ids';
import { bitsOf, encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import {
  type KafkaMessage,
  type KafkaServer,
  ownKafka,
  type TestDatabase,
  type TestNats,
  testNats,
  until,
} from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { columnOf, type ModeName, type Updates } from '@catchment/testkit/write-model';
import type { Event } from '../src/domain/event.ts';
import { eventColumns } from '../src/store/event-columns.ts';
import { PgEventStore } from '../src/store/pg-event-store.ts';
import { PgMonths } from '../src/store/pg-months.ts';
import { KafkaTopic } from '../src/topics/clients/kafka-topic.ts';
import { startTopics } from '../src/topics/index.ts';

const jars = process.env.CATCHMENT_TEST_KAFKA_JARS;
if (!jars) throw new Error('run by `npm run test:kafka -w services/events`, which gets Kafka');

const NOW = Date.UTC(2026, 4, 15, 12);
const OWNER = newObjectId();
const NODE = newObjectId();
const PLACE = { nodeId: NODE, ownerId: OWNER, workspaceId: newObjectId(), sourceId: newObjectId() };
const LONG = 120_000;
const log = createLogger('test', { level: 'silent' });

let kafka: KafkaServer;
let pg: TestDatabase;
let nats: TestNats;
let database: Database;
let events: PgEventStore;
let bus: Bus;

beforeAll(async () => {
  // A broker that takes little of one message: what it refuses must not keep up the rest.
  kafka = await ownKafka({ jars, settings: ['message.max.bytes=100000'] });
  [pg, nats] = await Promise.all([migratedDatabase('events'), testNats()]);
  database = new Database({ url: pg.url, schema: 'events', applicationName: 'test', rehearsesTransactions: true });
  const months = new PgMonths(database, { monthsMax: 40 });
  await months.makeAhead(NOW);
  events = new PgEventStore(database, months, eventColumns('io.svc'));
  bus = await openBus();
});
afterAll(async () => {
  await bus?.close();
  await database?.close();
  await Promise.all([pg?.drop(), nats?.drop()]);
  await kafka?.[Symbol.asyncDispose]();
});

const openBus = () => Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
const start = (on: Bus, topicPrefix: string, topics: readonly ('events' | 'alarms' | 'records')[]) =>
  startTopics({ bus: on, database, events, log }, { brokers: [kafka.broker], topics, topicPrefix });

const event = (message: string): Event => ({
  eventId: newObjectId(),
  ownerId: OWNER,
  workspaceId: PLACE.workspaceId,
  nodeId: NODE,
  nodeClass: 'point.NumberPoint',
  level: 'INFO',
  eventType: 'STATE',
  alarmState: 'NONE',
  timeMs: NOW,
  username: 'System',
  message,
});

type Received = KafkaMessage;
const received: KafkaServer['messages'] = (topic, isAll) => kafka.messages(topic, isAll);
const ids = (all: readonly Received[]) => new Set(all.map((message) => message.event.id));

test('events of the log are in their topic as CloudEvents, keyed by owner, in the order of recording', async () => {
  await events.record([event('before anybody followed')]);
  const topics = await start(bus, 'order', ['events']);
  const recorded = Array.from({ length: 30 }, (_, n) => event(`number ${n}`));
  for (const event of recorded) await events.record([event]);
  const all = await received('order.events', (some) => some.length >= 30);
  expect(all.map((message) => message.event.id)).toEqual(recorded.map(({ eventId }) => eventId));
  expect(all[0]).toMatchObject({
    key: OWNER,
    headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' },
    event: { specversion: '1.0', type: 'io.catchment.event.recorded.v1', subject: `/nodes/${NODE}` },
  });
  expect(all[0]?.event.data).toMatchObject({ message: 'number 0', _class: 'io.svc.models.event.Event' });
  await topics.stop();
});

test('while Kafka is dead everything waits, and all of it is there when it is back; restarts of ours change nothing', async () => {
  const first = await start(bus, 'dead', ['events', 'alarms']);
  await events.record([event('alive')]);
  await received('dead.events', (some) => some.length === 1);
  await kafka.kill();
  const recorded = Array.from({ length: 50 }, () => event('while it was dead'));
  await events.record(recorded);
  for (let revision = 1; revision <= 20; revision += 1) {
    const data = AlarmChanged.encode(
      AlarmChanged.fromPartial({ ...PLACE, alarmType: 'stateAlarm', alarmState: 'ACTIVE', revision }),
    ).finish();
    await bus.publish('alarms.alarm.changed.v1', data, { msgId: `alarm-${revision}` });
  }
  const state = StateChanged.encode(StateChanged.fromPartial({ ...PLACE, stateId: 'high', revision: 21 })).finish();
  await bus.publish('alarms.state.changed.v1', state, { msgId: 'state-21' });
  await delay(3_000);
  await first.stop();
  const second = await start(bus, 'dead', ['events', 'alarms']);
  await kafka.restart();
  const all = await received('dead.events', (some) => ids(some).size === 51);
  expect(recorded.every(({ eventId }) => ids(all).has(eventId))).toBe(true);
  const alarms = await received('dead.alarms', (some) => ids(some).size === 21);
  expect(new Set(alarms.map((alarm) => alarm.event.data.revision)).size).toBe(21);
  expect(alarms.at(-1)?.event.data.stateId ?? 'high').toBe('high');
  await until(async () => (await bus.lag('DOMAIN'))['events-alarms'] === 0, { deadlineMs: LONG });
  await second.stop();
});

test('what the broker finds too large is left out, and what stands around it is there', async () => {
  const topic = new KafkaTopic({ brokers: [kafka.broker], name: 'large', log });
  const message = (id: string, bytes: number) => ({
    id,
    key: OWNER,
    value: JSON.stringify({ id, type: 't', text: 'x'.repeat(bytes) }),
  });
  const messages = [
    message('a', 10),
    message('b', 130_000),
    message('c', 10),
    message('d', 45_000),
    message('e', 45_000),
  ];
  const { refused } = await topic.send([...messages, message('f', 45_000)]);
  expect(refused.map(({ id }) => id)).toEqual(['b']);
  const all = await received('large', (some) => some.length === 5);
  expect(all.map((message) => message.event.id)).toEqual(['a', 'c', 'd', 'e', 'f']);
  await topic.close();
});

describe('records', () => {
  const column = (mode: ModeName, updates: Updates): LogEntry => ({
    kind: 'column',
    column: { ...columnOf(mode, updates, PLACE) },
  });
  /** Appends like the group commit, and settles like the writer. */
  async function append(on: Bus, entries: readonly LogEntry[], applied: Partial<BatchApplied> | undefined = {}) {
    const sequences: number[] = [];
    for (const data of encodeEntries(entries, 900_000, () => newObjectId()))
      sequences.push((await on.publish('ingest.0', data, { msgId: newObjectId() })).sequence);
    const settle = async () => {
      const batches = sequences.map((logSequence) => ({ partition: 0, logSequence, ...applied }));
      const group = AppliedGroup.encode(AppliedGroup.fromPartial({ batches })).finish();
      await on.publish('applied.0', group, { msgId: newObjectId() });
    };
    return { settle };
  }
  const settled = async (on: Bus, entries: readonly LogEntry[], applied?: Partial<BatchApplied>) =>
    (await append(on, entries, applied)).settle();

  test('are in their topic once they are stored, in pieces; deletions too; none of what was not written', async () => {
    const topics = await start(bus, 'rec', ['records']);
    const many = new Map(Array.from({ length: 400 }, (_, n) => [NOW + n, { v: n, q: 7 }] as const));
    await settled(bus, [column('MERGE_OVERWRITE_EXISTING', many)]);
    const three = new Map([0, 1, 2].map((n) => [NOW + n, { v: -n }] as const));
    await settled(bus, [column('MERGE_PRESERVE_EXISTING', three)], {
      columnsSettled: [{ nodeId: NODE, ownerId: OWNER, entry: 0, written: Buffer.from(bitsOf([1], 3)) }],
    });
    const waiting = await append(bus, [column('DELETE_RANGE', three)]);
    const all = await received('rec.records', (some) => some.length === 2);
    expect((await bus.lag('INGEST'))['events-records-0']).toBe(1);
    expect(all.map((message) => message.event.data.mode)).toEqual(['REPLACE', 'REPLACE']);
    const [many400, records] = all.map(({ event }) => event.data.records as unknown[]);
    expect(many400).toHaveLength(400);
    expect(many400?.[3]).toEqual({ ts: '2026-05-15T12:00:00.003Z', v: 3, q: 7 });
    expect(records).toEqual([{ ts: '2026-05-15T12:00:00.001Z', v: -1 }]);
    await waiting.settle();
    const [, , deleted] = await received('rec.records', (some) => some.length === 3);
    expect(deleted?.event).toMatchObject({
      type: 'io.catchment.records.deleted.v1',
      data: { nodeId: NODE, startTime: '2026-05-15T12:00:00.000Z', endTime: '2026-05-15T12:00:00.002Z' },
    });
    expect(deleted?.key).toBe(OWNER);
    await topics.stop();
  });

  test('wait for Kafka, for a process that was killed and for a store; none is lost', async () => {
    const own = await openBus();
    const first = await start(own, 'wait', ['records']);
    await kafka.kill();
    const write = (n: number) => [column('MERGE_OVERWRITE_EXISTING', new Map([[NOW + n, { v: n }]]))];
    for (let n = 0; n < 10; n += 1) await settled(bus, write(n));
    await delay(2_000);
    // The replica dies with messages in its hands.
    await own.close();
    await first.stop();
    const second = await start(bus, 'wait', ['records']);
    for (let n = 10; n < 20; n += 1) await settled(bus, write(n));
    await kafka.restart();
    const values = (all: readonly Received[]) =>
      new Set(all.flatMap((message) => (message.event.data.records as { v: number }[]).map(({ v }) => v)));
    const all = await received('wait.records', (some) => values(some).size === 20);
    expect([...values(all)]).toEqual(Array.from({ length: 20 }, (_, n) => n));
    await second.stop();
  });
});

test('without topics no reader holds up the logs', async () => {
  await start(bus, 'none', ['records', 'alarms']).then((topics) => topics.stop());
  expect(Object.keys(await bus.lag('INGEST'))).toContain('events-records-0');
  await startTopics({ bus, database, events, log }, undefined);
  const consumers = [...Object.keys(await bus.lag('INGEST')), ...Object.keys(await bus.lag('APPLIED'))];
  expect(consumers.filter((name) => name.startsWith('events-'))).toEqual([]);
  expect(await bus.lag('DOMAIN')).not.toHaveProperty('events-alarms');
});
