// These tests try what a role may not do: it is not offered, and the API refuses it anyway. A right that changes while a page is open is
// taken back at once, in words.
import { until } from '@catchment/testkit';
import { picture } from '../src/console/look.ts';
import { changeBy, endSession, type Person, signedIn, userOf } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  await writeLevel(api, stage.sites, 4.2);
  await until(async () => (await api.get('/alarms')).json.alarms.length === 1);
});
afterAll(() => stage?.close());

const open = (person: Person, path: string) =>
  signedIn(stage.browser, stage.installation.url, person, {
    next: `/a/${stage.person.slug}/${path}`,
    viewport: { width: 1600, height: 900 },
  });
const settings = () => `n/${stage.sites.levelId}/settings`;
const someone = (role: string) => userOf(stage.installation.api, stage.sites.workspaceId, role);
/** Gives a role in the Workspace, or what else stands there instead. */
const give = async ({ email }: Person, role: string, nodeId = stage.sites.workspaceId) => {
  const users = [{ user: email, role }];
  expect((await stage.installation.api.post(`/nodes/${nodeId}/security/subscribe`, { users })).status).toBe(200);
};

test.each([
  ['View', { units: false, alarms: false, acknowledge: false, clear: false }],
  ['Operate', { units: false, alarms: true, acknowledge: true, clear: true }],
  ['Configure', { units: true, alarms: true, acknowledge: true, clear: true }],
] as const)('%s: of a node and of alarms is offered what may be done, and all else is refused', async (role, may) => {
  const person = await someone(role);
  const { page, context, problems } = await open(person, settings());
  expect(await page.getByLabel('Units').isEnabled()).toBe(may.units);
  expect(await page.getByText(/^You may look at these settings/).count()).toBe(may.units ? 0 : 1);
  await page.getByRole('link', { name: 'States and alarms' }).first().click();
  const section = page.getByRole('region', { name: 'Alarms', exact: true });
  await section.waitFor();
  expect(await section.getByRole('checkbox').first().isEnabled()).toBe(may.alarms);
  expect(await page.getByText(/^You may look at states and alarms here/).count()).toBe(may.alarms ? 0 : 1);
  await page.goto(new URL(`/a/${stage.person.slug}/alarms`, page.url()).href);
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.focus();
  await page.keyboard.press('Home');
  const panel = page.getByRole('article', { name: /Gage height/ });
  await panel.getByRole('heading').first().waitFor();
  // The page knows what may be done once the node is read.
  await panel.getByText(/4\.20/).first().waitFor();
  expect(await panel.getByRole('button', { name: 'Acknowledge' }).count()).toBe(may.acknowledge ? 1 : 0);
  expect(await panel.getByRole('button', { name: 'Clear' }).count()).toBe(may.clear ? 1 : 0);
  const id = stage.sites.levelId;
  const statuses = {
    units: await changeBy({ page, context }, 'PUT', `/nodes/${id}`, { units: role }),
    alarms: await changeBy({ page, context }, 'PUT', `/nodes/${id}`, { alarms: { stateAlarm: {} } }),
    acknowledge: await changeBy({ page, context }, 'POST', `/nodes/${id}/alarms/acknowledge?alarmTypes=dataAlarm`),
    clear: await changeBy({ page, context }, 'POST', `/nodes/${id}/alarms/clear?alarmTypes=dataAlarm`),
  };
  const isRefused = Object.fromEntries(Object.entries(statuses).map(([what, status]) => [what, status === 403]));
  expect(isRefused).toEqual(Object.fromEntries(Object.entries(may).map(([what, isAllowed]) => [what, !isAllowed])));
  expect(await changeBy({ page, context }, 'DELETE', `/nodes/${stage.sites.workspaceId}`)).toBe(403);
  expect(problems).toEqual([]);
  await context.close();
});

test('a lesser role while a form is edited: it is said, nothing is offered any more, and what was typed stays', async () => {
  const person = await someone('Configure');
  const { page, context } = await open(person, settings());
  await page.getByLabel('Units').fill('typed');
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await give(person, 'View');
  await page.getByText('Your role was changed: what you may not do here any more is not offered.').waitFor();
  await page.getByText('This cannot be changed any more. What you typed is kept in this tab.').waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  expect(await page.getByLabel('Units').isDisabled()).toBe(true);
  expect(await page.getByLabel('Units').inputValue()).toBe('typed');
  await picture(page, 'console-role-lost');
  await give(person, 'Configure');
  await page.getByText('Your role was changed: you may do more here now.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  expect(await page.getByLabel('Units').inputValue()).toBe('typed');
  await context.close();
});

test('a node that is closed to the person while it is open says so, and what was typed stays', async () => {
  const person = await someone('Operate');
  const { page, context } = await open(person, settings());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await give(person, 'No Access', stage.sites.locations.deadRun);
  await page.getByText('This node is not there any more').waitFor();
  await context.close();
});

test('all access is taken away: the page says so without being asked for anything', async () => {
  const person = await someone('View');
  const { page, context } = await open(person, 'overview');
  await page.getByRole('treegrid', { name: 'Nodes' }).waitFor();
  const users = [{ user: person.email }];
  await stage.installation.api.post(`/nodes/${stage.sites.workspaceId}/security/unsubscribe`, { users });
  await page.getByRole('heading', { name: 'You have no access to this account any more' }).waitFor();
  expect(await page.getByRole('treegrid', { name: 'Nodes' }).count()).toBe(0);
  await context.close();
});

test('a session that is ended elsewhere asks for the password without being asked for anything', async () => {
  const { page, context } = await open(stage.person, 'overview');
  await page.getByRole('treegrid', { name: 'Nodes' }).waitFor();
  await endSession({ page, context });
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await context.close();
});

test('a node that is moved while its settings are edited says from where to where, and what was typed stays', async () => {
  const { installation, sites, person } = stage;
  const { page, context } = await open(person, settings());
  await page.getByLabel('Units').fill('typed');
  await installation.api.put(`/nodes/${sites.gaugeId}/parent`, { parentId: sites.locations.gwynns });
  await page.getByText(/It was moved from .*Dead Run.* to .*Gwynns Falls/).waitFor();
  expect(await page.getByLabel('Units').inputValue()).toBe('typed');
  await page.getByRole('button', { name: 'Discard' }).click();
  await installation.api.put(`/nodes/${sites.gaugeId}/parent`, { parentId: sites.locations.deadRun });
  await context.close();
});
