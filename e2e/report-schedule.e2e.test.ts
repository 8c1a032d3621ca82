// A report is made by its schedule and mailed (docs/reference/dashboards-and-reports.md#schedules).
import { type TestMailServer, until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowWithMessages } from './src/lent-installation.ts';

/** A schedule that is set in the minute of its time is due in it. */
const SETTING_MS = 10_000;

let installation: Installation;
let mailServer: TestMailServer;
let giveBack: () => Promise<void>;
let api: Api;
const email = `ann-morning-${process.pid}@example.org`;

beforeAll(async () => {
  ({ installation, mailServer, stop: giveBack } = await borrowWithMessages());
  api = installation.api;
});
afterAll(() => giveBack?.());

test('a report reaches its subscriber at its time as a PDF, once, and its events report it', async () => {
  const { _id: workspaceId } = await api.create({ _class: `${MODEL}.Workspace`, name: 'Weir' });
  const granted = await api.post(`/nodes/${workspaceId}/security/subscribe`, {
    users: [{ user: email, role: 'View' }],
  });
  const password = 'correct horse battery';
  const body = new URLSearchParams({ password, repeat: password, firstName: 'Ann', timezone: 'Etc/UTC' });
  const activated = await fetch(granted.json.added[0].profileActivateUrl, { method: 'POST', body, redirect: 'manual' });
  expect(activated.status).toBe(303);
  const report = await api.create({ _class: `${MODEL}.Report`, name: 'Morning', parentId: workspaceId });
  expect((await api.post(`/nodes/${report._id}/notifications/subscribe`, { users: [{ user: email }] })).status).toBe(
    202,
  );
  const time = new Date(Date.now() + SETTING_MS).toISOString().slice(11, 16);
  expect((await api.put(`/nodes/${report._id}`, { schedule: { type: 'DAILY', time } })).status).toBe(200);

  const reports = () => mailServer.mails.filter(({ attachments }) => attachments.length > 0);
  const mail = await until(() => reports()[0], { what: 'mail with a report' });
  expect(mail).toMatchObject({ to: [email], subject: expect.stringMatching(/^\[.+\] Morning: report of \d{4}-/) });
  expect(mail.attachments).toMatchObject([{ fileName: 'Morning.pdf', contentType: 'application/pdf' }]);
  expect(mail.attachments[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const sent = `Sent report to ${email}`;
  const messages = async (): Promise<string[]> =>
    (await api.get(`/nodes/${report._id}/events`)).json.map(({ message }: { message: string }) => message);
  await until(async () => (await messages()).includes(sent), { what: 'event' });
  expect((await messages()).filter((text) => /report/.test(text)).sort()).toEqual(['Generated report', sent].sort());
  expect(reports()).toHaveLength(1);
});
