// Data crosses a threshold and comes back: one mail, one SMS, one webhook event, one message of a stream and one record of a topic each,
// whatever dies in between (docs/reference/notifications.md, docs/reference/events.md). By `npm run test:kafka -w services/events`.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type KafkaMessage,
  type KafkaServer,
  ownKafka,
  type TestMailServer,
  type TestSmsServer,
  testMailServer,
  testSmsServer,
  until,
} from '@catchment/testkit';
import { Webhook } from 'standardwebhooks';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { Follower } from './src/stream-follower.ts';

const RECOVERY_LIMIT_MS = 120_000;
/** Messages that a process had in hand when it was killed come again after two minutes. */
const IN_HAND_LIMIT_MS = 180_000;
const FIRST_MS = Date.UTC(2024, 0, 1);
const HIGH = 'State changed from NORMAL to HIGH';
const NORMAL = 'State changed from HIGH to NORMAL';
const jars = process.env.CATCHMENT_TEST_KAFKA_JARS;
if (!jars) throw new Error('run by `npm run test:kafka -w services/events`, which gets Kafka');

type CloudEvent = { id: string; data: { _id: string; message: string } };

let kafka: KafkaServer;
let mailServer: TestMailServer;
let smsServer: TestSmsServer;
let receiver: Server;
let installation: Installation;
let api: Api;
let levelId: string;
const email = `ann-${process.pid}@example.org`;
let secret = '';
/** The id of a delivery leads to the events that it brought: a delivery that came again counts once. */
const deliveries = new Map<string, readonly CloudEvent[]>();
const refusals: unknown[] = [];

beforeAll(async () => {
  [kafka, mailServer, smsServer] = await Promise.all([ownKafka({ jars }), testMailServer(), testSmsServer()]);
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      try {
        const headers = request.headers as Record<string, string>;
        const events = new Webhook(secret).verify(Buffer.concat(parts).toString(), headers) as CloudEvent[];
        deliveries.set(headers['webhook-id'] ?? '', events);
      } catch (error) {
        refusals.push(error);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  installation = await startInstallation({
    env: {
      SMTP_URL: mailServer.url,
      SMTP_TLS: 'off',
      SMTP_FROM: 'Catchment <catchment@example.org>',
      SMS_PRESET: 'twilio',
      SMS_URL: smsServer.url,
      SMS_USER: 'AC1',
      SMS_PASSWORD: 'x',
      SMS_FROM: '+4512345678',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      KAFKA_BROKERS: kafka.broker,
      KAFKA_TOPICS: 'events,alarms,records',
      KAFKA_TOPIC_PREFIX: 'site',
    },
  });
  api = installation.api;
  const { workspaceId, sourceId } = await api.createSite('Weir');
  const { categories } = (await api.get('/owners/account')).json;
  const categoryId = categories.find((category: { name: string }) => category.name === 'Critical')._id;
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: sourceId,
    units: 'm',
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true, notify: 'ALWAYS', categoryId }],
  });
  levelId = level._id;
  await subscribe(workspaceId, email);
  const { port } = receiver.address() as AddressInfo;
  const filter = `nodeId($eq:${levelId}),eventType($eq:STATE)`;
  const made = await api.post('/owners/account/webhooks', { name: 'Pager', url: `http://127.0.0.1:${port}/`, filter });
  secret = made.json.secret;
}, 300_000);
afterAll(async () => {
  await installation?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
  await Promise.all([mailServer?.close(), smsServer?.close(), kafka?.[Symbol.asyncDispose]()]);
}, 120_000);

async function subscribe(workspaceId: string, user: string): Promise<void> {
  const granted = await api.post(`/nodes/${workspaceId}/security/subscribe`, { users: [{ user, role: 'View' }] });
  const password = 'correct horse battery';
  const person = { firstName: 'Ann', timezone: 'Australia/Perth', phone: '+61865550100' };
  const body = new URLSearchParams({ password, repeat: password, ...person });
  await fetch(granted.json.added[0].profileActivateUrl, { method: 'POST', body, redirect: 'manual' });
  const notificationCategories = [{ category: 'Critical', email: true, sms: true }];
  await api.post(`/nodes/${workspaceId}/notifications`, { users: [{ user, notificationCategories }] });
  expect((await api.post(`/nodes/${levelId}/notifications/subscribe`, { users: [{ user }] })).status).toBe(202);
}

let written = 0;
/** Writes until the answer is 202. */
async function write(value: number): Promise<void> {
  written += 1;
  const timestamp = new Date(FIRST_MS + written * 60_000).toISOString();
  const put = () => api.put(`/nodes/${levelId}/historic/now`, { value, timestamp }).catch(() => undefined);
  await until(async () => (await put())?.status === 202, { deadlineMs: RECOVERY_LIMIT_MS, what: '202' });
}

const byId = <T>(all: readonly T[], idOf: (item: T) => string): T[] => [
  ...new Map(all.map((item) => [idOf(item), item])).values(),
];
/** Returns what has reached each target, by message; a message that came twice with the same id counts once. */
const arrived = {
  mails: () => byId(mailServer.mails, ({ messageId }) => messageId).map(({ subject }) => subject),
  texts: () => byId(smsServer.messages, ({ id }) => id).map(({ text }) => text),
  webhook: () => [...deliveries.values()].flat().map(({ data }) => data.message),
};
const topic = (all: readonly KafkaMessage[]) =>
  byId(
    all.filter(({ event }) => event.subject === `/nodes/${levelId}` && event.data.eventType === 'STATE'),
    ({ event }) => event.id,
  ).map(({ event }) => event.data.message);

async function reached(follower: Follower, messages: readonly string[]): Promise<void> {
  const count = messages.length;
  const within = { deadlineMs: RECOVERY_LIMIT_MS };
  await until(() => arrived.mails().length >= count, { ...within, what: `mail ${count}` });
  await until(() => arrived.texts().length >= count, { ...within, what: `SMS ${count}` });
  await until(() => arrived.webhook().length >= count, { ...within, what: `webhook event ${count}` });
  await until(() => follower.seen().length >= count, { ...within, what: `message ${count} of the stream` });
  const published = topic(await kafka.messages('site.events', (all) => topic(all).length >= count));
  expect([arrived.webhook(), follower.seen(), published]).toEqual([messages, messages, messages]);
  expect([arrived.mails().length, arrived.texts().length]).toEqual([count, count]);
}

const stateAlarm = async () => (await api.get(`/nodes/${levelId}`)).json.alarms.stateAlarm.status.alarmState;

test('each crossing is reported once to everybody, with processes, NATS and Kafka killed in between', async () => {
  const filter = encodeURIComponent(`nodeId($eq:${levelId}),eventType($eq:STATE)`);
  const follower = await new Follower(`/events/stream?filter=${filter}`, api).begun();
  const messages: string[] = [];
  await write(1);
  await write(6.5);
  messages.push(HIGH);
  await reached(follower, messages);
  expect((await api.post(`/nodes/${levelId}/alarms/acknowledge`, {})).status).toBe(202);
  await until(async () => (await stateAlarm()) === 'ACKNOWLEDGED', { what: 'acknowledged' });
  await write(2);
  messages.push(NORMAL);
  await reached(follower, messages);
  await until(async () => (await stateAlarm()) === 'CLEARED', { what: 'cleared' });

  for (const dies of ['alarms', 'events', 'nats', 'kafka', 'gateway', 'nodes']) {
    if (dies === 'kafka') await kafka.kill();
    await Promise.all([write(7), dies === 'kafka' ? undefined : installation.kill(dies)]);
    await write(2);
    if (dies === 'kafka') await kafka.restart();
    messages.push(HIGH, NORMAL);
  }
  await reached(follower, messages);
  await follower.stop();

  const { json } = await api.get(`/nodes/${levelId}/events?limit=1000`);
  const count = (match: RegExp) => json.filter(({ message }: { message: string }) => match.test(message)).length;
  expect([count(/^State changed from NORMAL to HIGH/), count(/^State changed from HIGH to NORMAL/)]).toEqual([7, 7]);
  expect(count(/^Notification sent to 1 user by email, 1 by SMS/)).toBe(14);
  expect(refusals).toEqual([]);
}, 900_000);

test('a message by hand reaches whom it names, even after the processes that send it were killed', async () => {
  const [mails, texts] = [arrived.mails().length, arrived.texts().length];
  const answer = await api.post(`/nodes/${levelId}/messages`, {
    users: [email],
    subject: 'Flood watch',
    message: 'Come to {{ LOCATION.name }}',
    channels: ['email', 'sms'],
  });
  expect(answer.status).toBe(202);
  await installation.kill('nodes');
  await until(() => arrived.mails().length > mails, { deadlineMs: IN_HAND_LIMIT_MS, what: 'the mail' });
  await until(() => arrived.texts().length > texts, { deadlineMs: IN_HAND_LIMIT_MS, what: 'the SMS' });
  expect(arrived.mails().at(-1)).toContain('Flood watch');
  expect(arrived.texts().at(-1)).toContain('Location/Level: Come to Location @ ');
  expect([arrived.mails().length, arrived.texts().length]).toEqual([mails + 1, texts + 1]);
}, 400_000);
