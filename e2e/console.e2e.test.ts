// What matters most of the console holds against a real installation. `npm run test:console` tests all of it.
import { QUIET_BROWSER, testChromium, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { type Browser, chromium } from 'playwright-core';
import { picture } from './src/console/look.ts';
import { administrator, type Opened, type Person, signedIn } from './src/console/people.ts';
import { makeSites, type Sites, writeLevel } from './src/console/sites.ts';
import { drop, makeStation, openWizard, settled, stationOf } from './src/console/wizard.ts';
import { type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let browser: Browser;
let person: Person;
let sites: Sites;
let opened: Opened;

beforeAll(async () => {
  [installation, browser] = await Promise.all([
    startInstallation(),
    testChromium().then((executablePath) => chromium.launch({ executablePath, args: QUIET_BROWSER })),
  ]);
  [sites, person] = await Promise.all([makeSites(installation.api), administrator(installation.api)]);
  opened = await signedIn(browser, installation.url, person);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

const tree = () => opened.page.getByRole('treegrid', { name: 'Nodes' });
const row = (name: string) => tree().getByRole('row').filter({ hasText: name }).first();

test('who signs in lands on the overview: all places on the map and in the list, and nothing is refused by the policy', async () => {
  const { page, problems } = opened;
  expect(new URL(page.url()).pathname).toBe(`/a/${person.slug}/overview`);
  await page.getByRole('grid', { name: 'Places' }).getByText('Dead Run at Franklintown').waitFor();
  await page.getByRole('region', { name: 'Map of all places' }).locator('.mark-place').first().waitFor();
  await page.getByText('Nothing is wrong at any of 4 places.').waitFor();
  await page.getByRole('link', { name: /Rivers today/ }).waitFor();
  expect(problems).toEqual([]);
});

test('an alarm appears by itself, with a sign and a word, on the map, in the list, the tree and the bell, and goes again', async () => {
  const { page } = opened;
  await writeLevel(installation.api, sites, 4.2);
  await page.getByText('Something is wrong at 1 of 4 places.').waitFor();
  await page.getByRole('button', { name: '1 active alarm' }).waitFor();
  await page
    .getByRole('grid', { name: 'Places' })
    .getByText(/HIGH WATER/)
    .waitFor();
  await row('Maryland rivers').getByText('1 active alarm').waitFor();
  await page.getByRole('button', { name: /^Active alarm/ }).click();
  await page.waitForURL(/state=ACTIVE/);
  await page.reload();
  await page.getByRole('button', { name: /^Active alarm/, pressed: true }).waitFor();
  await picture(page, 'console-alarm');
  await page.getByRole('button', { name: /^All/ }).click();
  await writeLevel(installation.api, sites, 1.2);
  await page.getByText('Nothing is wrong at any of 4 places.').waitFor();
});

test('the tree opens by keys, and a node is renamed and renamed back', async () => {
  const { page } = opened;
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await row('Swiss Camp').waitFor();
  await page.keyboard.press('s');
  await page.keyboard.press('F2');
  await page.getByLabel('New name of Swiss Camp, Greenland').fill('Swiss Camp');
  await page.keyboard.press('Enter');
  await page.getByText('«Swiss Camp, Greenland» is now called «Swiss Camp».').waitFor();
  await page.getByRole('grid', { name: 'Places' }).getByText('Swiss Camp', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Swiss Camp, Greenland').waitFor();
});

test('the palette goes to a node that the server finds, by a few letters', async () => {
  const { page } = opened;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('gage');
  await page.getByRole('option', { name: /Gage height/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/n/${sites.levelId}/chart`));
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test.each(['light', 'dark'] as const)('axe finds nothing on the overview: %s', async (colorScheme) => {
  const { page } = opened;
  await page.emulateMedia({ colorScheme });
  await page.getByRole('grid', { name: 'Places' }).getByText('Dead Run').first().waitFor();
  expect(await violations(page)).toEqual([]);
});

test('a station is made of a dropped file, and has what the file says', async () => {
  const { page, problems } = opened;
  await openWizard({ installation, person, sites }, page);
  await page.getByLabel('Name of the station').fill('Weir');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^A file from my computer/ }).click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await drop(page, 'weir.csv', ['time;Level (m)', '2024-07-13 00:00;1,5', '2024-07-13 00:10;1,6']);
  await page.getByText('All 2 lines were read.').waitFor();
  await settled(page);
  await makeStation(page);
  const made = await stationOf(installation.api, 'Weir');
  expect(made.parameters).toMatchObject([{ units: 'm' }]);
  await until(async () => {
    const records = await made.records(made.parameters[0]?.series ?? '');
    expect(records.map(([, value]) => value)).toEqual([1.5, 1.6]);
    return true;
  });
  expect(problems).toEqual([]);
});

test('a dashboard is edited: a tile gets a name beside the live tile, and it is saved', async () => {
  const { page } = opened;
  await page.goto(`${installation.url}/a/${person.slug}/dash/${sites.dashboardId}/edit`);
  await page.locator('[data-tile]').first().click();
  await page.getByLabel('Label').fill('The river now');
  await page.getByRole('heading', { name: 'The river now' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All is saved').waitFor();
  const { tiles } = (await installation.api.get(`/nodes/${sites.dashboardId}`)).json;
  expect(tiles[0]).toMatchObject({ type: 'VALUE', label: 'The river now' });
});
