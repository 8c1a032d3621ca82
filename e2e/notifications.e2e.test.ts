// Data crosses a threshold: one mail, whatever dies on the way (docs/reference/notifications.md).
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const RECOVERY_LIMIT_MS = 60_000;
const FIRST_MS = Date.UTC(2024, 0, 1);

let installation: Installation;
let mailServer: TestMailServer;
let api: Api;
let workspaceId: string;
let levelId: string;
const email = `ann-${process.pid}@example.org`;

beforeAll(async () => {
  mailServer = await testMailServer();
  const env = { SMTP_URL: mailServer.url, SMTP_TLS: 'off', SMTP_FROM: 'Catchment <catchment@example.org>' };
  installation = await startInstallation({ env });
  api = installation.api;
  const site = await api.createSite('Weir');
  workspaceId = site.workspaceId;
  const { categories } = (await api.get('/owners/account')).json;
  const categoryId = categories.find((one: { name: string }) => one.name === 'Critical')._id;
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
        messageTowards: '{{ THIS.name }} of {{ WORKSPACE.name }} is back at {{ THIS.currentValue }}',
      },
    ],
  });
  levelId = level._id;
  await subscribed(email);
}, 240_000);
afterAll(async () => {
  await installation?.stop();
  await mailServer?.close();
}, 60_000);

/** Makes somebody who wants to hear of it. */
async function subscribed(user: string): Promise<void> {
  const granted = await api.post(`/nodes/${workspaceId}/security/subscribe`, { users: [{ user, role: 'View' }] });
  await activate(granted.json.added[0].profileActivateUrl);
  const notificationCategories = [{ category: 'Critical', email: true }];
  await api.post(`/nodes/${workspaceId}/notifications`, { users: [{ user, notificationCategories }] });
  expect((await api.post(`/nodes/${levelId}/notifications/subscribe`, { users: [{ user }] })).status).toBe(202);
}

/** Finishes somebody's profile as its page does. */
async function activate(url: string): Promise<void> {
  const password = 'correct horse battery';
  const body = new URLSearchParams({ password, repeat: password, firstName: 'Ann', timezone: 'Australia/Perth' });
  const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect(status).toBe(303);
}

let written = 0;
/** Until it is answered 202. */
async function write(value: number): Promise<void> {
  written += 1;
  const timestamp = new Date(FIRST_MS + written * 60_000).toISOString();
  const put = () => api.put(`/nodes/${levelId}/historic/now`, { value, timestamp }).catch(() => undefined);
  await until(async () => (await put())?.status === 202, { deadlineMs: RECOVERY_LIMIT_MS, what: '202' });
}

/** Mails so far; one that came twice has the same id. */
const mails = () => [...new Map(mailServer.mails.map((mail) => [mail.messageId, mail])).values()];
const mail = async (count: number) => {
  await until(() => mails().length >= count, { deadlineMs: RECOVERY_LIMIT_MS, what: `mail ${count}` });
  return mails()[count - 1]!;
};

async function kill(name: string): Promise<void> {
  const pids = await installation.pids();
  process.kill(pids[name] ?? 0, 'SIGKILL');
  await until(async () => ((await installation.pids())[name] ?? pids[name]) !== pids[name], {
    deadlineMs: RECOVERY_LIMIT_MS,
  });
}

test('a threshold that is crossed gives one mail, the way back another; acknowledging gives none', async () => {
  await write(1);
  await write(6.5);
  const high = await mail(1);
  expect(high.to).toEqual([email]);
  expect(high.text).toContain('Level is HIGH: 6.5 m at 2024-01-01 08:02:00');
  expect((await api.post(`/nodes/${levelId}/alarms/acknowledge`, {})).status).toBe(202);
  await write(2);
  expect((await mail(2)).text).toContain('Level of Weir is back at 2');
  const events = async () =>
    (await api.get(`/nodes/${levelId}/events?filter=eventType($eq:NOTIFICATION)`)).json as { message: string }[];
  await until(async () => (await events()).length >= 2, { what: 'events' });
  expect((await events()).map(({ message }) => message)).toEqual([
    'Notification sent to 1 users by email, 0 by SMS: State changed from NORMAL to HIGH',
    'Notification sent to 1 users by email, 0 by SMS: State changed from HIGH to NORMAL',
  ]);
  expect(mails()).toHaveLength(2);
}, 180_000);

test('nothing is missing and nothing new comes twice when processes die in between', async () => {
  for (const [index, name] of ['alarms', 'nodes', 'nats', 'events'].entries()) {
    const before = 2 + 2 * index;
    await Promise.all([write(7), kill(name)]);
    await mail(before + 1);
    await write(1);
    await mail(before + 2);
  }
  // Whatever comes twice comes before the next one.
  await write(8);
  const last = await mail(11);
  expect(last.subject).toContain('HIGH');
  expect(mails().map(({ subject }) => subject.replace(/^.*?: /, ''))).toEqual([
    ...Array.from({ length: 5 }, () => [expect.stringMatching(/^HIGH/), expect.stringContaining('is back at')]).flat(),
    'HIGH, 8 m',
  ]);
}, 400_000);

test('the link in a mail stops the next ones', async () => {
  const link = /http:\S+\/auth\/unsubscribe\/\S+/.exec(mails()[0]?.text ?? '')?.[0] ?? '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const answer = await fetch(link, { method: 'POST', body });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('E-mails stopped')]);
  const other = `bob-${process.pid}@example.org`;
  await subscribed(other);
  await write(1);
  expect((await mail(12)).to).toEqual([other]);
  expect(mails()).toHaveLength(12);
}, 120_000);
