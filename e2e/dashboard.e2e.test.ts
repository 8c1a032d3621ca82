import path from 'node:path';
import { HANGS_AFTER_MS, QUIET_BROWSER, testChromium, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { jts, MODEL, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const HOUR = 3_600_000;
const PASSWORD = 'correct horse battery';

let installation: Installation;
let browser: Browser;
let site: { workspaceId: string; locationId: string; sourceId: string };
let ids: { level: string; temperature: string; dashboard: string; publicId: string; chart: string };
const closing: (() => Promise<unknown>)[] = [];

/** Returns two days of hourly readings up to now. */
const history = (): (readonly [string, number, number])[] => {
  const end = Date.now() - HOUR;
  return Array.from({ length: 48 }, (_, n) => [
    new Date(end - (47 - n) * HOUR).toISOString(),
    Number((1 + Math.sin(n / 5) / 2).toFixed(3)),
    Number((12 + n / 10).toFixed(1)),
  ]);
};

const write = async (level: number) => {
  const rows = [[new Date().toISOString(), level, 17.5]] as const;
  const document = jts(['level', 'temperature'], rows);
  const answer = await installation.api.put(`/nodes/${site.sourceId}/historic?notifyOn=ALL_NEWER`, document);
  expect(answer.status).toBe(202);
};

const tile = (type: string, [x, y, w, h]: readonly number[], links: readonly string[], more: object = {}) => ({
  type,
  x,
  y,
  w,
  h,
  links: links.map((nodeId) => ({ nodeId })),
  ...more,
});

beforeAll(async () => {
  [installation, browser] = await Promise.all([
    startInstallation(),
    testChromium().then((executablePath) => chromium.launch({ executablePath, args: QUIET_BROWSER })),
  ]);
  const { api } = installation;
  site = await api.createSite(unique('Pages'));
  const point = (name: string, series: string, more: object) =>
    api.create({
      _class: `${MODEL}.point.NumberPoint`,
      parentId: site.sourceId,
      name,
      series,
      format: '0.00',
      ...more,
    });
  const states = [{ name: 'NORMAL' }, { name: 'HIGH WATER', threshold: 3, isAlarm: true }];
  const level = await point('Gauge height', 'level', { units: 'm', states });
  const temperature = await point('Water temperature', 'temperature', { units: '°C' });
  await api.put(`/nodes/${site.locationId}/historic/now`, { value: [46.9, 7.5] });
  const photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#2f7ed8' } })
    .jpeg()
    .toBuffer();
  const attachment = await api.upload(site.locationId, new Uint8Array(photo), 'bridge.jpg');
  const chart = await api.create({
    _class: `${MODEL}.chart.HistoricChart`,
    parentId: site.locationId,
    name: 'Two days',
    startRange: 'NOW-2D',
    links: [{ nodeId: level._id }],
  });
  const history_ = jts(['level', 'temperature'], history());
  expect((await api.put(`/nodes/${site.sourceId}/historic`, history_)).status).toBe(202);
  await until(async () => (await api.get(`/nodes/${level._id}`)).json.currentValue !== undefined);
  const dashboard = await api.create({
    _class: `${MODEL}.Dashboard`,
    parentId: site.locationId,
    name: 'River at the bridge',
    description: 'All that is measured here',
    isPublic: true,
    tiles: [
      tile('VALUE', [0, 0, 3, 2], [level._id], { label: 'Level', style: 'blue', showAlarms: true }),
      tile('SOLID_GAUGE', [3, 0, 3, 2], [temperature._id], { label: 'Gauge', config: { minimum: 0, maximum: 30 } }),
      tile('VALUE_LIST', [6, 0, 3, 2], [level._id, temperature._id], { label: 'Values' }),
      tile('ALARM_SUMMARY', [9, 0, 3, 2], [site.locationId], { label: 'Alarms' }),
      tile('STANDARD_CHART', [0, 2, 8, 4], [level._id, temperature._id], {
        label: 'Course',
        config: { period: 'NOW-2D' },
      }),
      tile('LOCATION_MAP', [8, 2, 4, 4], [site.locationId], { label: 'Map' }),
      tile('HISTORIC_TABLE', [0, 6, 4, 3], [level._id], { label: 'Records', config: { period: 'NOW-2D' } }),
      tile('CUSTOM_CHART', [4, 6, 4, 3], [chart._id], { label: 'Own chart' }),
      tile('ATTACHMENT_IMAGE', [8, 6, 4, 3], [attachment._id], { label: 'Photo' }),
      tile('STATIC_TEXT', [0, 9, 12, 1], [], {
        label: 'Note',
        config: { content: 'Run by {{ WORKSPACE.name }} <img src=x onerror=alert(1)>' },
      }),
    ],
  });
  const { publicId } = dashboard as unknown as { publicId: string };
  ids = { level: level._id, temperature: temperature._id, dashboard: dashboard._id, publicId, chart: chart._id };
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

const publicPath = () => `/public/dash/${ids.publicId}`;

async function open(at: string, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  closing.push(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS_AFTER_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(`${installation.url}${at}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, problems };
}

const tileOf = (page: Page, label: string) => page.getByRole('article', { name: label, exact: true });

/** Zooms a chart: what is zoomed is in the address, and a double click shows everything again. @returns the address of the part */
async function zoomAndReset(page: Page): Promise<string> {
  const chart = page.getByRole('application').first();
  // Its records are there, and with them what it may show.
  await page.locator('.legend .range').first().waitFor();
  const before = page.url();
  await chart.focus();
  await page.keyboard.press('+');
  await page.waitForURL(/[?&]zoom\.\w+=\d{4}-/);
  const zoomed = page.url();
  await chart.locator('.u-over').dblclick();
  await page.waitForURL((url) => url.href === before);
  return zoomed;
}

/** Takes a picture of the page, for people, where PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

test('a public dashboard shows what its tiles are of, and nothing is refused by its content policy', async () => {
  const { page, problems } = await open(publicPath());
  const newest = history().at(-1)!;
  await tileOf(page, 'Level').getByText(newest[1].toFixed(2)).waitFor();
  await tileOf(page, 'Level').getByText('NORMAL').waitFor();
  await tileOf(page, 'Gauge').getByText(newest[2].toFixed(2)).waitFor();
  await tileOf(page, 'Values').getByText('Water temperature').waitFor();
  await tileOf(page, 'Alarms').waitFor();
  await tileOf(page, 'Map').getByText(/46\.9/).first().waitFor();
  await until(async () => (await tileOf(page, 'Records').getByRole('row').count()) > 10);
  await tileOf(page, 'Course').locator('canvas').waitFor();
  for (const label of ['Own chart', 'Photo']) {
    const image = tileOf(page, label).locator('img');
    await until(async () => ((await image.evaluate((element) => Reflect.get(element, 'naturalWidth'))) as number) > 0);
  }
  const note = await tileOf(page, 'Note').textContent();
  expect(note).toMatch(/Run by Pages .* <img src=x onerror=alert\(1\)>/);
  await picture(page, 'dashboard');
  expect(problems).toEqual([]);
});

test('a new reading appears without a reload, and an alarm paints its tile until it is over', async () => {
  const { page } = await open(publicPath());
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate('globalThis.isSamePage = true');
  await write(2.25);
  await tileOf(page, 'Level').getByText('2.25').waitFor();
  await write(3.5);
  await tileOf(page, 'Level').getByText('3.50').waitFor();
  await tileOf(page, 'Level').getByText('Alarm', { exact: true }).waitFor();
  await tileOf(page, 'Alarms').getByRole('strong').getByText('1', { exact: true }).waitFor();
  await picture(page, 'dashboard-alarm');
  await write(1.1);
  await tileOf(page, 'Level').getByText('1.10').waitFor();
  await until(async () => (await tileOf(page, 'Level').getByText('Alarm', { exact: true }).count()) === 0);
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
});

test('everything can be done by keyboard: a chart zooms, asks for what it shows, and shows everything again', async () => {
  const { page } = await open(publicPath());
  const chart = tileOf(page, 'Course').getByRole('application');
  // The lowest and highest of what is shown stand there: the records are there.
  await tileOf(page, 'Course')
    .getByText(/\d to \d/)
    .first()
    .waitFor();
  const ranges: number[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/series') && searchParams.has('start'))
      ranges.push(Date.parse(searchParams.get('end')!) - Date.parse(searchParams.get('start')!));
  });
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    if (await chart.evaluate((element) => element === element.ownerDocument.activeElement)) break;
  }
  await page.keyboard.press('+');
  await until(() => ranges.length > 0);
  expect(ranges[0]).toBeLessThan(48 * HOUR);
  await page.keyboard.press('0');
  await tileOf(page, 'Course').getByRole('button', { name: 'Zoom in' }).waitFor();
});

test.each([
  ['light', 1_280],
  ['dark', 360],
] as const)(
  'axe finds nothing in %s colours, %i pixels wide, where nothing is wider than the page',
  async (colorScheme, width) => {
    const { page } = await open(publicPath(), { colorScheme, viewport: { width, height: 760 } });
    await tileOf(page, 'Course').locator('canvas').waitFor();
    await picture(page, `dashboard-${colorScheme}-${width}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await violations(page)).toEqual([]);
  },
);

test('a page that is not public is forbidden, one that nobody has is not found, and both say so in the product’s look', async () => {
  const { api, url } = installation;
  const hidden = await api.create({
    _class: `${MODEL}.Dashboard`,
    parentId: site.locationId,
    name: 'Hidden',
    isPublic: true,
  });
  expect((await api.put(`/nodes/${hidden._id}`, { isPublic: false })).status).toBe(200);
  const at = (publicId: unknown) => `/public/dash/${publicId}`;
  const forbidden = await open(at(hidden.publicId));
  expect(await forbidden.page.getByRole('heading', { level: 1 }).textContent()).toMatch(/not public/i);
  await picture(forbidden.page, 'forbidden');
  const missing = await open(at('a'.repeat(15)));
  expect(await missing.page.getByRole('heading', { level: 1 }).textContent()).toMatch(/does not exist/);
  await picture(missing.page, 'missing');
  const statuses = await Promise.all([hidden.publicId, 'a'.repeat(15)].map((id) => fetch(`${url}${at(id)}`)));
  expect(statuses.map(({ status }) => status)).toEqual([403, 404]);
});

test('a chart and a parameter have public pages of their own', async () => {
  const { api } = installation;
  const chart = (await api.put(`/nodes/${ids.chart}`, { isPublic: true })).json;
  const level = (await api.put(`/nodes/${ids.level}`, { isPublic: true })).json;
  const ofChart = await open(`/public/chart/${chart.publicId}`);
  await ofChart.page.getByRole('application').locator('canvas').waitFor();
  await ofChart.page
    .getByText(/\d to \d/)
    .first()
    .waitFor();
  const zoomed = await zoomAndReset(ofChart.page);
  const shared = await open(zoomed.slice(installation.url.length));
  const [asked] = await Promise.all([
    shared.page.waitForRequest((request) => /\/series\?.*start=/.test(request.url())),
    shared.page.reload(),
  ]);
  const part = [...new URL(zoomed).searchParams].find(([name]) => name.startsWith('zoom.'))![1];
  const shown = new URL(asked.url()).searchParams;
  expect(`${shown.get('start')}/${shown.get('end')}`).toBe(part);
  await shared.page.goto(`${installation.url}/public/chart/${chart.publicId}?zoom.chart=yesterday`);
  await shared.page
    .getByText(/\d to \d/)
    .first()
    .waitFor();
  await shared.page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await shared.page.getByText('Times in Asia/Tokyo').waitFor();
  expect(shared.problems).toEqual([]);
  await ofChart.page.goto(`${installation.url}/nothing/here`);
  await ofChart.page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
  ofChart.problems.splice(0);
  await picture(ofChart.page, 'chart');
  const ofLevel = await open(`/public/historic/${level.publicId}`);
  await until(async () => (await ofLevel.page.getByRole('row').count()) > 10);
  await zoomAndReset(ofLevel.page);
  await picture(ofLevel.page, 'historic');
  expect([...ofChart.problems, ...ofLevel.problems]).toEqual([]);
});

test('people who are signed in see the dashboard of their account, others are asked to sign in', async () => {
  const { api, url } = installation;
  const email = `${unique('pages').replaceAll(' ', '-')}@example.org`;
  const named = { administrators: [{ user: email, name: { first: 'Ann' } }] };
  expect((await api.put('/owners/account', named)).status).toBe(200);
  const link = (await installation.personLink(email)).match(/\S+\/auth\/\S+/)?.[0] ?? '';
  const { page } = await open(new URL(link).pathname);
  await page.getByLabel('Last name').fill('Lee');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('The same again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.waitForURL('**/account?done=welcome');
  await page.goto(`${url}/dash/${ids.dashboard}`);
  await page.getByRole('heading', { level: 1, name: 'River at the bridge' }).waitFor();
  await tileOf(page, 'Level').getByText('NORMAL').waitFor();
  await zoomAndReset(page);
  await picture(page, 'signed-in');
  await write(3.7);
  const { slug } = (await api.get('/owners/account')).json as unknown as { slug: string };
  await page.goto(`${url}/a/${slug}/n/${ids.level}`);
  await page.getByRole('heading', { level: 1, name: 'Gauge height' }).waitFor();
  await page.locator('canvas').waitFor();
  await page.getByText('State alarm, active').waitFor();
  await picture(page, 'node');
  await page.getByRole('button', { name: 'Acknowledge State alarm' }).click();
  await page.getByText(/State alarm, acknowledged by/).waitFor();
  expect(await violations(page)).toEqual([]);
  const zoomed = await zoomAndReset(page);
  await picture(page, 'node-acknowledged');
  expect((await page.goto(`${url}/a/${slug}x/n/${ids.level}`))?.status()).toBe(404);
  const stranger = await open(`/dash/${ids.dashboard}`);
  await stranger.page.getByLabel('E-mail').waitFor();
  await stranger.page.goto(zoomed);
  await stranger.page.getByLabel('E-mail').fill(email);
  await stranger.page.getByLabel('Password').fill(PASSWORD);
  await stranger.page.getByRole('button', { name: 'Sign in' }).click();
  await stranger.page.waitForURL((url) => url.href === zoomed);
});
