// A person who was given the address of the start page and nothing else makes a first station: what they meet at each step, by mouse and by finger.
import path from 'node:path';
import { QUIET_BROWSER, testChromium } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { type Browser, chromium } from 'playwright-core';
import { picture } from '../src/console/look.ts';
import { administrator, PASSWORD } from '../src/console/people.ts';
import { ENGLISH, GERMAN, Newcomer } from '../src/console/wizard.ts';
import { type Installation, startInstallation } from '../src/installation.ts';

const REAL = path.join(import.meta.dirname, '../data/makers/campbell-toa5.dat');

let installation: Installation;
let browser: Browser;
beforeAll(async () => {
  [installation, browser] = await Promise.all([
    startInstallation({ args: ['--no-demo'] }),
    testChromium().then((executablePath) => chromium.launch({ executablePath, args: QUIET_BROWSER })),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

test.each([
  ['en-GB', ENGLISH, { viewport: { width: 1280, height: 820 } }],
  ['de-DE', GERMAN, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }],
] as const)('from the start page alone to the first data, %s', async (locale, words, device) => {
  const { email } = await administrator(installation.api);
  const context = await browser.newContext({ locale, ...device });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  const who = new Newcomer(page);
  const seen = async (step: string) => {
    await picture(page, `newcomer-${locale}-${step}`);
    expect([step, await violations(page)]).toEqual([step, []]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(device.viewport.width);
  };
  await page.goto(installation.url);
  await seen('0-start');
  await who.click(page.locator('a[href^="/auth/login"]').first());
  await page.locator('input[type=password]').waitFor();
  await seen('1-sign-in');
  await who.type(page.locator('input[type=email], input[name=email]').first(), email);
  await who.type(page.locator('input[type=password]'), PASSWORD);
  await who.click(page.locator('button[type=submit], form button').first());
  await page.waitForURL(/\/a\//);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('main').getByRole('link', { name: words.add }).waitFor();
  await seen('2-overview');
  await who.click(page.locator('main').getByRole('link', { name: words.add }));
  await page.getByLabel(words.name).waitFor();
  await seen('3-place');
  const workspace = page.locator('.station-where input').first();
  await page.locator('.station-where, .station-parent').first().waitFor();
  if (await page.locator('.station-where').isVisible()) {
    await who.type(workspace, 'North');
    await workspace.press('Enter');
    await workspace.press('Enter').catch(() => undefined);
    await page.locator('.station-parent').waitFor();
    const filter = `_class($match:node.Workspace),name($eq:North)`;
    expect((await installation.api.get(`/nodes?filter=${filter}`)).json).toHaveLength(1);
    who.clicks += 1;
  }
  await who.type(page.getByLabel(words.name), `First ${locale}`);
  await page.locator('.station-map .leaflet-container').waitFor();
  await who.click(page.getByRole('region', { name: words.mapLabel }).locator('.map-host'));
  await page.locator('.pin-dot').waitFor();
  await seen('4-pinned');
  await who.click(page.getByRole('button', { name: words.next, exact: true }));
  await page.getByRole('button', { name: new RegExp(`^${words.hand}`) }).waitFor();
  await seen('5-way');
  await who.click(page.getByRole('button', { name: new RegExp(`^${words.hand}`) }));
  await page.getByRole('button', { name: words.choose }).waitFor();
  await seen('6-file');
  await who.choose(page.getByRole('button', { name: words.choose }), REAL);
  await page.getByText(words.all).waitFor();
  await seen('7-columns');
  await who.click(page.getByRole('button', { name: words.next, exact: true }));
  await page.getByRole('button', { name: words.make, exact: true }).waitFor();
  await seen('8-review');
  await who.click(page.getByRole('button', { name: words.make, exact: true }));
  await page.getByRole('heading', { name: words.arrived }).waitFor();
  await seen('9-done');
  process.stdout.write(`a newcomer, ${locale}: ${who.clicks} clicks, ${who.fields} fields\n`);
  expect(problems).toEqual([]);
  await context.close();
});
