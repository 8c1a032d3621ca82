// Data crosses a threshold: one mail and one SMS come, whatever dies on the way (docs/reference/notifications.md).
import { amount, type TestMailServer, type TestSmsServer, until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowWithMessages } from './src/lent-installation.ts';
import { subscribe } from './src/subscriber.ts';
import { whileHung } from './src/while-hung.ts';

const FIRST_MS = Date.UTC(2024, 0, 1);

const KILLED = ['nodes', 'alarms', 'nats', 'events'].slice(0, amount(1, 4));
/** Mails until then: there and back before the kills and with each, then there once more. */
const AFTER_KILLS = 3 + 2 * KILLED.length;

let installation: Installation;
let mailServer: TestMailServer;
let smsServer: TestSmsServer;
let giveBack: () => Promise<void>;
let api: Api;
let workspaceId: string;
let levelId: string;
const email = `ann-notified-${process.pid}@example.org`;
const phone = '+61865550100';

beforeAll(async () => {
  ({ installation, mailServer, smsServer, stop: giveBack } = await borrowWithMessages());
  api = installation.api;
  const site = await api.createSite('Weir');
  workspaceId = site.workspaceId;
  const { categories } = (await api.get('/owners/account')).json;
  const categoryId = categories.find((category: { name: string }) => category.name === 'Critical')._id;
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: site.sourceId,
    units: 'm',
    states: [
      { name: 'NORMAL' },
      {
        name: 'HIGH',
        threshold: 5,
        isAlarm: true,
        notify: 'ALWAYS',
        categoryId,
        messageAway:
          '{{ THIS.name }} of {{ LOCATION.name }} is at {{ THIS.currentValue }} m at {{ NOW | time: "HH:mm" }}',
        messageTowards: '{{ THIS.name }} of {{ WORKSPACE.name }} is back at {{ THIS.currentValue }}',
      },
    ],
  });
  levelId = level._id;
  await subscribed(email);
});
afterAll(() => giveBack?.());

/** Makes somebody who wants to hear of it. */
const subscribed = (user: string, number = phone): Promise<void> =>
  subscribe(api, { workspaceId, nodeId: levelId }, { email: user, phone: number });

let written = 0;
/** Writes until the answer is 202. */
async function write(value: number): Promise<void> {
  written += 1;
  const timestamp = new Date(FIRST_MS + written * 60_000).toISOString();
  const put = () => api.put(`/nodes/${levelId}/historic/now`, { value, timestamp }).catch(() => undefined);
  await until(async () => (await put())?.status === 202, { what: '202' });
}

/** Returns mails so far; one that came twice has the same id. */
const mails = () => [...new Map(mailServer.mails.map((mail) => [mail.messageId, mail])).values()];
const mail = async (count: number) => {
  await until(() => mails().length >= count, { what: `mail ${count}` });
  return mails()[count - 1]!;
};

/** Returns SMS so far; one that came twice has the same id. */
const texts = () => [...new Map(smsServer.messages.map((message) => [message.id, message])).values()];
const text = async (count: number) => {
  await until(() => texts().length >= count, { what: `SMS ${count}` });
  return texts()[count - 1]!;
};
const stateAlarm = async () => (await api.get(`/nodes/${levelId}`)).json.alarms.stateAlarm.status;

test('a threshold that is crossed gives one mail and one SMS, the way back others; acknowledging gives none', async () => {
  await write(1);
  await write(6.5);
  const high = await mail(1);
  expect(high.to).toEqual([email]);
  expect(high.text).toContain('Level of Location is at 6.5 m at 08:02');
  expect(await text(1)).toMatchObject({ to: phone, from: '+4512345678' });
  expect((await text(1)).text).toMatch(
    / Location\/Level: Level of Location is at 6\.5 m at 08:02 @ 2024-01-01 08:02:00$/,
  );
  const message = 'Level of Location is at 6.5 m at 00:02';
  await until(async () => (await stateAlarm()).message === message, { what: 'message of the alarm' });
  expect((await api.post(`/nodes/${levelId}/alarms/acknowledge`, {})).status).toBe(202);
  await until(async () => (await stateAlarm()).alarmState === 'ACKNOWLEDGED', { what: 'acknowledged alarm' });
  expect((await stateAlarm()).message).toBe(message);
  await write(2);
  expect((await mail(2)).text).toContain('Level of Weir is back at 2');
  expect((await text(2)).text).toContain('Level of Weir is back at 2');
  const events = async () =>
    (await api.get(`/nodes/${levelId}/events?filter=eventType($eq:NOTIFICATION)`)).json as { message: string }[];
  await until(async () => (await events()).length >= 2, { what: 'events' });
  expect((await events()).map(({ message }) => message)).toEqual([
    'Notification sent to 1 user by email, 1 by SMS: State changed from NORMAL to HIGH',
    'Notification sent to 1 user by email, 1 by SMS: State changed from HIGH to NORMAL',
  ]);
  expect(mails()).toHaveLength(2);
});

test('nothing is missing and nothing new comes twice when processes die in between', async () => {
  for (const [index, name] of KILLED.entries()) {
    const before = 2 + 2 * index;
    await Promise.all([write(7), installation.kill(name)]);
    await Promise.all([mail(before + 1), text(before + 1)]);
    await write(1);
    await Promise.all([mail(before + 2), text(before + 2)]);
  }
  // Whatever comes twice comes before the next one.
  await write(8);
  const last = await mail(AFTER_KILLS);
  expect(last.subject).toContain('Level of Location is at 8 m');
  expect(mails().map(({ subject }) => subject.replace(/^.*?: /, ''))).toEqual([
    ...Array.from({ length: 1 + KILLED.length }, () => [
      expect.stringContaining('is at'),
      expect.stringContaining('is back at'),
    ]).flat(),
    expect.stringContaining('is at 8 m'),
  ]);
  expect((await text(AFTER_KILLS)).text).toContain('is at 8 m');
  expect(texts().map((text) => /is (?:back )?at/.exec(text.text)?.[0])).toEqual([
    ...Array.from({ length: 1 + KILLED.length }, () => ['is at', 'is back at']).flat(),
    'is at',
  ]);
  expect((await api.get('/owners/account/usage')).json.total.sms).toEqual({ usage: AFTER_KILLS, usageLimit: null });
});

test('the link in a mail stops the next ones', async () => {
  const link = /http:\S+\/auth\/unsubscribe\/\S+/.exec(mails()[0]?.text ?? '')?.[0] ?? '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const answer = await fetch(link, { method: 'POST', body });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('E-mails stopped')]);
  const other = `bob-notified-${process.pid}@example.org`;
  await subscribed(other, '+61865550101');
  await write(1);
  expect((await mail(AFTER_KILLS + 1)).to).toEqual([other]);
  expect(mails()).toHaveLength(AFTER_KILLS + 1);
  // Both come: the link stops the e-mails alone.
  await text(AFTER_KILLS + 2);
  expect(
    new Set(
      texts()
        .slice(AFTER_KILLS)
        .map(({ to }) => to),
    ),
  ).toEqual(new Set([phone, '+61865550101']));
});

// The test alarm-path.kafka.ts has a kill in between.
test('a message by hand reaches whom it names', async () => {
  const { json, status } = await api.post(`/nodes/${levelId}/messages`, {
    users: [email],
    subject: 'Flood watch',
    message: 'Come to {{ LOCATION.name }}',
    channels: ['email', 'sms'],
  });
  expect([status, json]).toEqual([202, { status: expect.objectContaining({ code: 202 }), email: 1, sms: 1 }]);
  expect((await mail(AFTER_KILLS + 2)).text).toContain('Come to Location');
  expect((await text(AFTER_KILLS + 3)).text).toContain('Location/Level: Come to Location @ ');
});

test('while InfluxDB does not answer, a mail has the value all the same', () =>
  whileHung(installation, 'influx', async () => {
    await write(9);
    expect((await mail(AFTER_KILLS + 3)).text).toContain('Level of Location is at 9 m');
  }));
