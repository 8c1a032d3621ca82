// The page of a node in the console shows its chart, its table, its settings, and what becomes of it while it is open.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { jts, MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  const end = Date.now() - HOUR;
  // A day is without records.
  const rows = Array.from({ length: 400 }, (_, n) => n)
    .filter((n) => n < 200 || n > 224)
    .map((n) => [new Date(end - (400 - n) * HOUR).toISOString(), 1 + Math.sin(n / 5) / 2, 10 + n / 40] as const);
  const written = await api.put(`/nodes/${stage.sites.gaugeId}/historic`, jts(['level', 'temperature'], rows, 'ft'));
  expect(written.status).toBe(202);
  await until(async () => (await api.get(`/nodes/${stage.sites.levelId}`)).json.oldestTime !== undefined);
});
afterAll(() => stage?.close());

const levelPage = (tab: string) => ({ next: `/a/${stage.person.slug}/n/${stage.sites.levelId}/${tab}` });
const open = (tab: string, options = {}) =>
  signedIn(stage.browser, stage.installation.url, stage.person, { ...levelPage(tab), ...options });

test('a chart is zoomed, goes back and forward, is laid over itself, and its address is what it shows', async () => {
  const { page, context, problems } = await open('chart');
  const chart = page.getByRole('application');
  await page.locator('.legend .range').first().waitFor();
  await page.getByRole('button', { name: '30 days' }).click();
  await page.waitForURL(/range=NOW-30D/);
  await chart.focus();
  await page.keyboard.press('+');
  await page.waitForURL(/range=\d{4}-/);
  await page.keyboard.press('Backspace');
  await page.waitForURL(/range=NOW-30D/);
  await page.getByRole('button', { name: 'Go forward again' }).click();
  await page.waitForURL(/range=\d{4}-/);
  await page.getByLabel('Laid over').selectOption('the week before');
  await page.waitForURL(/shift=1W/);
  await page.getByText('Gage height, −1 week').waitFor();
  await page.getByRole('combobox', { name: 'Compare' }).fill('water temp');
  await page.getByRole('option', { name: /Water temperature/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/with=[0-9a-f]{24}/);
  await page.getByText('Water temperature, −1 week').waitFor();
  await page.reload();
  await page.getByText('Water temperature, −1 week').waitFor();
  await page.getByText(/Chart of Gage height, from/).waitFor({ state: 'attached' });
  await picture(page, 'console-chart-compared');
  expect(problems).toEqual([]);
  await context.close();
});

test('who may not read records sees the chart as a picture, and no settings to change', async () => {
  const { browser, installation, sites } = stage;
  const viewer = await userOf(installation.api, sites.workspaceId, 'View');
  const { page, context } = await signedIn(browser, installation.url, viewer, levelPage('chart'));
  await page.locator('.chart-picture').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('You may look at these settings, and not change them.').waitFor();
  expect(await page.getByLabel('Units').isDisabled()).toBe(true);
  await context.close();
});

test('settings show what would change, survive a reload, and settle what two people have changed', async () => {
  const { api } = stage.installation;
  const { page, context } = await open('settings');
  const units = page.getByLabel('Units');
  await units.fill('cm');
  await page.getByText('1 change, not saved yet').waitFor();
  await page.reload();
  await page.getByText('1 change, not saved yet').waitFor();
  expect(await units.inputValue()).toBe('cm');
  expect((await api.get(`/nodes/${stage.sites.levelId}`)).json.units).toBe('ft');
  await api.put(`/nodes/${stage.sites.levelId}`, { units: 'mm' });
  await page.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor();
  expect(await page.locator('.editor-conflicts').textContent()).toMatch(/ft[\s\S]*mm[\s\S]*cm/);
  await picture(page, 'console-conflict');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('not saved yet').waitFor({ state: 'detached' });
  expect((await api.get(`/nodes/${stage.sites.levelId}`)).json.units).toBe('cm');
  // A refusal stands at the attribute that it names, and nothing typed is lost.
  await page.getByLabel(/^Name/).first().fill('a/b');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.editor-bar .editor-problem').waitFor();
  expect(await page.getByLabel(/^Name/).first().inputValue()).toBe('a/b');
  await page.getByRole('button', { name: 'Discard' }).click();
  await context.close();
});

test('a node that is deleted while it is open says so, and stays to be read', async () => {
  const { installation, person, browser, sites } = stage;
  const name = unique('Short-lived');
  const node = await installation.api.create({ _class: `${MODEL}.point.NumberPoint`, parentId: sites.gaugeId, name });
  const next = `/a/${person.slug}/n/${node._id}/settings`;
  const { page, context } = await signedIn(browser, installation.url, person, { next });
  await page.getByLabel('Units').waitFor();
  expect((await installation.api.delete(`/nodes/${node._id}`)).status).toBeLessThan(300);
  await page.getByText('This node is not there any more').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Short-lived');
  await context.close();
});

test.each([
  ['chart', 'de-DE', 'dark', 360],
  ['chart', 'en-GB', 'light', 1920],
  ['table', 'en-GB', 'dark', 1024],
  ['alarms', 'de-DE', 'light', 360],
  ['events', 'en-GB', 'dark', 360],
  ['settings', 'de-DE', 'light', 360],
  ['settings', 'en-GB', 'dark', 1920],
] as const)(
  'axe finds nothing at %s in %s, %s, %d px, and nothing is wider than the page',
  async (tab, locale, colorScheme, width) => {
    const size = { viewport: { width, height: width < 500 ? 780 : 900 } };
    const { page, context, problems } = await open(tab, { locale, colorScheme, ...size });
    const ready = {
      chart: '.legend .range',
      settings: '.editor-section',
      table: '.table-row',
      alarms: '.all-well',
      events: '.table-row',
    };
    await page.locator(ready[tab]).first().waitFor();
    expect(await violations(page)).toEqual([]);
    const wider = await page.evaluate(
      'document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth',
    );
    expect(wider).toBeLessThanOrEqual(0);
    await picture(page, `console-${tab}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
    expect(problems).toEqual([]);
    await context.close();
  },
);
