import { pathToFileURL } from 'node:url';
import { QUIET_BROWSER, testChromium } from '@catchment/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PAGE } from './build-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await testChromium(), args: [...QUIET_BROWSER] });
});
afterAll(() => browser?.close());

async function open(
  options: Parameters<Browser['newPage']>[0] = {},
  hash = '',
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage(options);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) errors.push(`asked for ${request.url()}`);
  });
  await page.goto(`${pathToFileURL(PAGE).href}${hash}`);
  return { page, errors };
}

test('the calculator answers what is entered, and its address holds it', async () => {
  const { page, errors } = await open();
  const historic = page.locator('#services tr', { hasText: 'historic' }).locator('td').first();
  expect(await page.locator('#services tr').count()).toBe(8);
  expect(await historic.textContent()).toBe('2');
  await page.getByLabel('Data sources').fill('500000');
  await page.getByLabel('Seconds between records').fill('10');
  expect(Number(await historic.textContent())).toBeGreaterThan(20);
  expect(await page.locator('#values').textContent()).toMatch(/values-large\.yaml[\s\S]*ingestPartitions: 64/);
  const again = await open({}, String(await page.evaluate('location.hash')));
  expect(await again.page.getByLabel('Data sources').inputValue()).toBe('500000');
  expect(await again.page.locator('#values').textContent()).toBe(await page.locator('#values').textContent());
  // A wrong number changes nothing.
  await page.getByLabel('Data sources').fill('-1');
  expect(await page.locator('#values').textContent()).toContain('values-large.yaml');
  expect(errors).toEqual([]);
});

test.each([
  ['a phone', { width: 360, height: 740 }],
  ['a desk', { width: 1280, height: 900 }],
])('the page fits %s in light and dark', async (_what, viewport) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await open({ viewport, colorScheme });
    const { width, ground, ink } = (await page.evaluate(`({
      width: document.documentElement.scrollWidth,
      ground: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
    })`)) as { width: number; ground: string; ink: string };
    expect(width).toBeLessThanOrEqual(viewport.width);
    expect(ground).not.toBe(ink);
    if (process.env.SHOW)
      await page.screenshot({ path: `${process.env.SHOW}/${viewport.width}-${colorScheme}.png`, fullPage: true });
    await page.close();
  }
});
