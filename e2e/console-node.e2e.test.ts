// The alarms and the page of a node in the console, by hand and by keyboard (docs/reference/public-pages.md#console).
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { HANGS_AFTER_MS, QUIET_BROWSER, testChromium, until } from '@catchment/testkit';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { jts, MODEL, unique } from './src/api.ts';
import { type Account, type Installation, startInstallation } from './src/installation.ts';

const HOUR = 3_600_000;
const PASSWORD = 'correct horse battery';
const HOSTILE = '🌊 <img src=x onerror=alert(1)> محطة';
const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let installation: Installation;
let browser: Browser;
let account: Account;
let slug: string;
let ids: { level: string; flow: string; source: string; workspace: string };
const states: Record<string, Awaited<ReturnType<BrowserContext['storageState']>>> = {};
const closing: (() => Promise<unknown>)[] = [];

const point = (api: Account['api'], parentId: string, name: string, more: object = {}) =>
  api.create({ _class: `${MODEL}.point.NumberPoint`, parentId, name, format: '0.00', units: 'ft', ...more });
const STATES = [{ name: 'NORMAL' }, { name: 'HIGH WATER', threshold: 3, isAlarm: true }];

beforeAll(async () => {
  [installation, browser] = await Promise.all([
    startInstallation(),
    testChromium().then((executablePath) => chromium.launch({ executablePath, args: QUIET_BROWSER })),
  ]);
  account = await installation.account({ name: unique('Console') });
  const { api } = account;
  slug = (await api.get('/owners/account')).json.slug;
  const site = await api.createSite('Maryland rivers');
  const level = await point(api, site.sourceId, 'Gage height', { series: 'level', states: STATES });
  const flow = await point(api, site.sourceId, 'Discharge', { series: 'flow', units: 'ft³/s' });
  const hostile = await point(api, site.sourceId, HOSTILE.replaceAll('/', ''), { states: STATES });
  ids = { level: level._id, flow: flow._id, source: site.sourceId, workspace: site.workspaceId };
  const end = Date.now() - HOUR;
  const rows = Array.from({ length: 400 }, (_, n) => {
    const ts = new Date(end - (400 - n) * HOUR).toISOString();
    // A day without records.
    return n > 200 && n < 224 ? undefined : ([ts, 1 + Math.sin(n / 5) / 2, 10 + n] as const);
  });
  const history = jts(['level', 'flow'], rows.filter((row) => row !== undefined), '');
  expect((await api.put(`/nodes/${site.sourceId}/historic?notifyOn=NONE`, history)).status).toBe(202);
  for (const id of [level._id, hostile._id]) await api.put(`/nodes/${id}/historic/now`, { value: 4.5 });
  await until(async () => (await api.get('/alarms')).json.alarms.length === 2);
  const people = { jo: 'ADMINISTRATOR' } as const;
  for (const who of Object.keys(people)) {
    const email = `${who}-${slug}@example.org`;
    await api.put('/owners/account', { administrators: [{ user: email, name: { first: 'Jo', last: 'Rivers' } }] });
    await signUp(who, await installation.personLink(email));
  }
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

async function signUp(who: string, link: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS_AFTER_MS);
  await page.goto(link);
  await page.getByLabel('First name').fill('Jo');
  await page.getByLabel('Last name').fill('Rivers');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('The same again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/'));
  states[who] = await context.storageState();
  await context.close();
}

async function open(at: string, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    storageState: states.jo!,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  closing.push(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS_AFTER_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(`${installation.url}/a/${slug}/${at}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, problems };
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: path.join(folder, `console-${name}.png`) });
}

async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(await axe);
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } }).axe.run(),
  );
  return (found.violations as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => [
    id,
    ...nodes.map(({ html }) => html),
  ]);
}

const alarmState = async (id: string) =>
  (await account.api.get(`/nodes/${id}?attr=alarms.stateAlarm.status`)).json.alarms.stateAlarm.status;

test('an alarm is acknowledged with a comment by keys alone, and the list says who has done it', async () => {
  const { page, problems } = await open('alarms');
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.getByText('Gage height').waitFor();
  await list.focus();
  await page.keyboard.press('Home');
  const active = () => list.locator('.table-row.is-active');
  if (!(await active().innerText()).includes('Gage height')) await page.keyboard.press('j');
  expect(await active().innerText()).toContain('Gage height');
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Acknowledge 1 alarm' }).waitFor();
  await page.keyboard.type('on my way');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await active().getByText('Acknowledged').waitFor();
  expect(await alarmState(ids.level)).toMatchObject({
    alarmState: 'ACKNOWLEDGED',
    acknowledgeComment: 'on my way',
    acknowledgeUsername: `jo-${slug}@example.org`,
  });
  // The focus is where it was.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
  // What others do is seen without being asked for.
  await account.api.put(`/nodes/${ids.level}/historic/now`, { value: 1 });
  await list.getByText('Gage height').waitFor({ state: 'detached' });
  await account.api.put(`/nodes/${ids.level}/historic/now`, { value: 4.5 });
  await list.getByText('Gage height').waitFor();
  expect(problems).toEqual([]);
});

test('filters are in the address; several are acknowledged at once, and names are shown as they are', async () => {
  const { page, problems } = await open('alarms?state=ACTIVE');
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.getByText(HOSTILE.replaceAll('/', '')).first().waitFor();
  await page.getByRole('button', { name: 'Choose all' }).click();
  await page.locator('.table-bar').getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByRole('heading', { name: 'No alarm is like this' }).waitFor();
  await page.getByRole('button', { name: 'Show all alarms' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/alarms') && url.search === '');
  expect(await list.locator('.alarm-state.is-acknowledged').count()).toBe(2);
  expect(problems).toEqual([]);
});

test('a chart is zoomed, goes back and forward, is laid over itself, and its address is what it shows', async () => {
  const { page, problems } = await open(`n/${ids.level}/chart`);
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
  await page.reload();
  await page.getByText('Gage height, −1 week').waitFor();
  expect(await page.getByText(/Chart of Gage height, from/).count()).toBe(1);
  await picture(page, 'chart');
  expect(problems).toEqual([]);
});

test('settings show what would change, survive a reload, and settle what two people have changed', async () => {
  const { page, problems } = await open(`n/${ids.flow}/settings`);
  const units = page.getByLabel('Units');
  await units.fill('m³/s');
  await page.getByText('1 change, not saved yet').waitFor();
  await page.reload();
  await page.getByText('1 change, not saved yet').waitFor();
  expect(await units.inputValue()).toBe('m³/s');
  expect((await account.api.get(`/nodes/${ids.flow}`)).json.units).toBe('ft³/s');
  await account.api.put(`/nodes/${ids.flow}`, { units: 'l/s' });
  await page.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor();
  expect(await page.locator('.editor-conflicts').innerText()).toMatch(/ft³\/s[\s\S]*l\/s[\s\S]*m³\/s/);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('not saved yet').waitFor({ state: 'detached' });
  expect((await account.api.get(`/nodes/${ids.flow}`)).json.units).toBe('m³/s');
  // A refusal stands at the attribute that it names.
  await page.getByLabel('Name', { exact: true }).first().fill('a/b');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('#name .editor-problem').first().waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('a node that is deleted while it is open says so, and stays to be read', async () => {
  const node = await point(account.api, ids.source, unique('Short-lived'));
  const { page } = await open(`n/${node._id}/settings`);
  await page.getByLabel('Units').waitFor();
  expect((await account.api.delete(`/nodes/${node._id}`)).status).toBe(202);
  await page.getByText('This node is not there any more').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Short-lived');
});

test.each([
  ['alarms', 'en-GB', 'light'],
  ['alarms', 'de-DE', 'dark'],
  ['events', 'de-DE', 'light'],
  ['chart', 'de-DE', 'dark'],
  ['table', 'en-GB', 'dark'],
  ['settings', 'de-DE', 'light'],
] as const)('axe finds nothing at %s in %s, %s, and a phone has no room to the side', async (tab, locale, colorScheme) => {
  const at = tab === 'alarms' || tab === 'events' ? tab : `n/${ids.level}/${tab}`;
  const { page, problems } = await open(at, { locale, colorScheme, viewport: { width: 360, height: 760 } });
  const ready = { chart: '.legend .range', settings: '.editor-section' }[tab as string] ?? '.table-row';
  await page.locator(ready).first().waitFor();
  expect(await violations(page)).toEqual([]);
  const wide = await page.evaluate(() => document.querySelector('main')!.scrollWidth - document.querySelector('main')!.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await picture(page, `${tab}-${locale}-${colorScheme}-360`);
  expect(problems).toEqual([]);
});
