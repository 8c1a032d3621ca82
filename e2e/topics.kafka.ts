// Data crosses a threshold: topics of Kafka get it, whatever dies on the way (docs/reference/events.md#topics). By `npm run test:kafka -w
// services/events`.
import { type KafkaMessage, type KafkaServer, ownKafka, until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const RECOVERY_LIMIT_MS = 120_000;
const FIRST_MS = Date.UTC(2024, 0, 1);
const jars = process.env.CATCHMENT_TEST_KAFKA_JARS;
if (!jars) throw new Error('run by `npm run test:kafka -w services/events`, which gets Kafka');

let kafka: KafkaServer;
let installation: Installation;
let api: Api;
let levelId: string;
beforeAll(async () => {
  kafka = await ownKafka({ jars });
  const env = { KAFKA_BROKERS: kafka.broker, KAFKA_TOPICS: 'events,alarms,records', KAFKA_TOPIC_PREFIX: 'site' };
  installation = await startInstallation({ env });
  api = installation.api;
  const { sourceId } = await api.createSite('Weir');
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }];
  const level = await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Level', parentId: sourceId, states });
  levelId = level._id;
}, 300_000);
afterAll(async () => {
  await installation?.stop();
  await kafka?.[Symbol.asyncDispose]();
}, 120_000);

const written: number[] = [];
/** Writes until the answer is 202. */
async function write(value: number): Promise<void> {
  written.push(value);
  const timestamp = new Date(FIRST_MS + written.length * 60_000).toISOString();
  const put = () => api.put(`/nodes/${levelId}/historic/now`, { value, timestamp }).catch(() => undefined);
  await until(async () => (await put())?.status === 202, { deadlineMs: RECOVERY_LIMIT_MS, what: '202' });
}

const subject = () => `/nodes/${levelId}`;
/** Picks the events of the parameter, each once. */
const once = (all: readonly KafkaMessage[]) => [
  ...new Map(
    all.filter(({ event }) => event.subject === subject()).map((message) => [message.event.id, message.event]),
  ).values(),
];
const stateEvents = async () => {
  const { json } = await api.get(`/nodes/${levelId}/events?filter=eventType($eq:STATE)`);
  return json as { _id: string; message: string }[];
};

test('each crossing is in all three topics, in order, with processes, NATS and Kafka killed in between', async () => {
  await write(1);
  for (const dies of ['events', 'alarms', 'nats', 'kafka', 'historic']) {
    if (dies === 'kafka') await kafka.kill();
    await Promise.all([write(7), dies === 'kafka' ? undefined : installation.kill(dies)]);
    await write(2);
    if (dies === 'kafka') await kafka.restart();
  }
  await until(async () => (await stateEvents()).length >= 10, { deadlineMs: RECOVERY_LIMIT_MS, what: 'events' });
  const stored = (await stateEvents()).map(({ _id }) => _id).sort();
  expect(stored).toHaveLength(10);

  const eventsOf = (all: readonly KafkaMessage[]) => once(all).filter(({ data }) => data.eventType === 'STATE');
  const events = eventsOf(await kafka.messages('site.events', (all) => eventsOf(all).length >= 10));
  expect(events.map(({ id }) => id).sort()).toEqual(stored);

  const raised = (all: readonly KafkaMessage[]) => once(all).filter(({ data }) => data.alarmState === 'ACTIVE');
  const alarms = await kafka.messages('site.alarms', (all) => raised(all).length >= 5);
  expect(raised(alarms).map(({ data }) => data.alarmType)).toEqual(Array(5).fill('stateAlarm'));

  const valuesOf = (all: readonly KafkaMessage[]) => {
    // A message that comes again after a failure comes with all that follow it.
    const records = once(all).flatMap(({ data }) => (data.records ?? []) as { ts: string; v: number }[]);
    return new Map(records.map(({ ts, v }) => [Date.parse(ts), v]));
  };
  const records = await kafka.messages('site.records', (all) => valuesOf(all).size >= written.length);
  expect([...valuesOf(records).values()]).toEqual(written);
  const keys = new Set([...alarms, ...records].map(({ key }) => key));
  expect([...keys]).toEqual([(await api.get(`/nodes/${levelId}`)).json.ownerId]);
  expect(await installation.command(['deadletters', 'list'])).toContain('There are no dead letters.');
}, 600_000);
