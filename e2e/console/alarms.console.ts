// Alarms of the console work by keyboard alone, many at once, and by role.
import { until } from '@catchment/testkit';
import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOSTILE = ['🌊 <img src=x onerror=alert(1)>', 'محطة القياس', 'L'.repeat(120)];

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  await writeLevel(api, stage.sites, 4.2);
  const states = [{ name: 'NORMAL' }, { name: 'FLOOD', threshold: 5, isAlarm: true }];
  for (const name of HOSTILE) {
    const parentId = stage.sites.gaugeId;
    const point = await api.create({
      _class: `${MODEL}.point.NumberPoint`,
      parentId,
      name: name.replace('/', ''),
      states,
    });
    await api.put(`/nodes/${point._id}/historic/now`, { value: 6 });
  }
  await until(async () => (await api.get('/alarms')).json.alarms.length === 4);
});
afterAll(() => stage?.close());

const at = (path: string) => ({ next: `/a/${stage.person.slug}/${path}` });
const statusOf = async (id: string) =>
  (await stage.installation.api.get(`/nodes/${id}?attr=alarms.stateAlarm.status`)).json.alarms.stateAlarm.status;

test('an alarm is acknowledged with a comment by keys alone, and the list says who has done it', async () => {
  const { browser, installation, person, sites } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, at('alarms'));
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.getByText('Gage height').waitFor();
  await list.focus();
  const active = () => list.locator('.table-row.is-active');
  await page.keyboard.press('Home');
  while (!((await active().textContent()) ?? '').includes('Gage height')) await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Acknowledge 1 alarm' }).waitFor();
  await page.keyboard.type('on my way');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await list.getByRole('row').filter({ hasText: 'Gage height' }).getByText('Acknowledged').waitFor();
  expect(await statusOf(sites.levelId)).toMatchObject({
    alarmState: 'ACKNOWLEDGED',
    acknowledgeComment: 'on my way',
    acknowledgeUsername: person.email,
  });
  // The focus is where it was.
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid');
  // The page shows what others do without being asked.
  await writeLevel(installation.api, sites, 1);
  await list.getByText('Gage height').waitFor({ state: 'detached' });
  await writeLevel(installation.api, sites, 4.2);
  await list.getByText('Gage height').waitFor();
  await picture(page, 'console-alarms-list');
  expect(problems).toEqual([]);
  await context.close();
});

test('who may only look is offered nothing that is refused', async () => {
  const { browser, installation, sites } = stage;
  const viewer = await userOf(installation.api, sites.workspaceId, 'View');
  const { page, context } = await signedIn(browser, installation.url, viewer, at('alarms'));
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.getByText('Gage height').waitFor();
  // The page knows the node, rights among it.
  await list.getByText('4.20').waitFor();
  await page.getByRole('button', { name: 'Choose all' }).click();
  expect(await page.getByRole('button', { name: 'Acknowledge', exact: true }).count()).toBe(0);
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('a');
  await page.getByText('You may not do this.').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await context.close();
});

test('filters are in the address; several are acknowledged at once, and names are shown as they are', async () => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, at('alarms?state=ACTIVE'));
  const list = page.getByRole('grid', { name: 'Alarms' });
  for (const name of HOSTILE) await list.getByText(name.replace('/', '')).first().waitFor();
  await page.getByRole('button', { name: 'Choose all' }).click();
  await page.locator('.table-bar').getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByRole('heading', { name: 'No alarm is like this' }).waitFor();
  await page.getByRole('button', { name: 'Show all alarms' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/alarms') && url.search === '');
  await list.locator('.alarm-state.is-acknowledged').nth(3).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
